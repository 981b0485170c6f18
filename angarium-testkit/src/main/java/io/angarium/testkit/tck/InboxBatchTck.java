package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.InboxScene.key;
import static io.angarium.testkit.tck.InboxScene.keys;
import static io.angarium.testkit.tck.InboxScene.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.InboxKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Several keys in one transaction. Part of {@link InboxTck}.
 *
 * @param <C> what gives access to a transaction
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface InboxBatchTck<C> extends InboxFixtureTck<C> {

  @Test
  default void workIsGivenTheNewKeysOnly() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    scene.write(key("2"), "single");
    scene.writeAll(keys("4"));
    List<Set<InboxKey>> given = new ArrayList<>();

    Set<InboxKey> told =
        fixture()
            .inbox()
            .processAll(
                keys("5", "4", "3", "2", "1"),
                (transaction, fresh) -> {
                  given.add(Set.copyOf(fresh));
                  fixture().write(transaction, "batch");
                });

    assertThat(told).containsExactlyInAnyOrderElementsOf(keys("1", "3", "5"));
    assertThat(given).containsExactly(Set.copyOf(keys("1", "3", "5")));
    assertThat(fixture().written()).containsExactlyInAnyOrder("single", line(key("4")), "batch");
  }

  @Test
  default void keysOfABatchAreDuplicatesAfterwards() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    scene.writeAll(keys("1", "2"));

    assertThat(scene.write(key("1"), "again")).isFalse();
    assertThat(scene.writeAll(fixture().another(), keys("1", "2"))).isEmpty();
    assertThat(fixture().written()).containsExactlyInAnyOrder(line(key("1")), line(key("2")));
  }

  @Test
  default void keyThatComesTwiceCountsOnce() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    Set<InboxKey> told = scene.writeAll(keys("1", "2", "1", "1", "2"));

    assertThat(told).containsExactlyInAnyOrderElementsOf(keys("1", "2"));
    assertThat(fixture().written()).containsExactlyInAnyOrder(line(key("1")), line(key("2")));
  }

  @Test
  default void workIsNotCalledIfNoKeyIsNew() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    scene.writeAll(keys("1", "2"));
    List<Set<InboxKey>> given = new ArrayList<>();

    assertThat(
            fixture().inbox().processAll(keys("2", "1"), (transaction, fresh) -> given.add(fresh)))
        .isEmpty();
    assertThat(fixture().inbox().processAll(List.of(), (transaction, fresh) -> given.add(fresh)))
        .isEmpty();

    assertThat(given).isEmpty();
  }

  @Test
  default void failureLeavesNoneOfTheBatch() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    scene.writeAll(keys("2"));

    assertThatThrownBy(
            () ->
                fixture()
                    .inbox()
                    .processAll(
                        keys("1", "2", "3"),
                        (transaction, fresh) -> {
                          fixture().write(transaction, "failed");
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessage("planned");

    scene.assertWritten(List.of(line(key("2"))), List.of("failed"));
    assertThat(scene.write(key("1"), "again")).isTrue();
    assertThat(scene.writeAll(keys("1", "2", "3"))).containsExactly(key("3"));
    scene.assertWritten(List.of(line(key("2")), "again", line(key("3"))), List.of("failed"));
  }

  @Test
  default void keysOfSeveralConsumersMayBeInOneBatch() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<InboxKey> keys = List.of(InboxKey.of("shop", "1"), InboxKey.of("stock", "1"));
    scene.write(keys.get(0), "single");

    assertThat(scene.writeAll(keys)).containsExactly(keys.get(1));
    assertThat(scene.writeAll(keys)).isEmpty();
  }

  @Test
  default void batchOfAThousandKeysFindsTheHalfThatIsNew() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<InboxKey> all = IntStream.range(0, 1_000).mapToObj(i -> key("key-" + i)).toList();
    List<InboxKey> known = IntStream.range(0, 500).mapToObj(i -> all.get(2 * i)).toList();
    scene.writeAll(known);

    Set<InboxKey> told =
        fixture()
            .inbox()
            .processAll(all, (transaction, fresh) -> fixture().write(transaction, "rest"));

    assertThat(told).hasSize(500).doesNotContainAnyElementsOf(known);
    assertThat(scene.writeAll(all)).isEmpty();
  }

  @Test
  default void batchesOfNewKeysFollowOneWithARepeat() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<InboxKey> keys = IntStream.range(0, 90).mapToObj(i -> key("key-" + i)).toList();
    List<InboxKey> first = keys.subList(0, 30);
    List<InboxKey> repeating = keys.subList(29, 60);
    List<InboxKey> last = keys.subList(60, 90);

    assertThat(scene.writeAll(first)).containsExactlyInAnyOrderElementsOf(first);
    assertThat(scene.writeAll(repeating))
        .containsExactlyInAnyOrderElementsOf(repeating.subList(1, repeating.size()));
    assertThat(scene.writeAll(last)).containsExactlyInAnyOrderElementsOf(last);

    assertThat(scene.writeAll(keys)).isEmpty();
    assertThat(fixture().written())
        .containsExactlyInAnyOrderElementsOf(keys.stream().map(InboxScene::line).toList());
  }

  @Test
  default void overlappingBatchesAtOnceProcessEachKeyOnce() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<InboxKey> keys = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      List<InboxKey> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        all.add(key("key-" + round + "-" + i));
      }
      List<Callable<Set<InboxKey>>> deliveries = new ArrayList<>();
      for (int start = 0; start <= 30; start += 10) {
        List<InboxKey> batch = all.subList(start, start + 30);
        deliveries.add(
            () -> InboxScene.redelivering(() -> scene.writeAll(fixture().another(), batch)));
      }
      List<InboxKey> told = new ArrayList<>();
      InboxScene.atOnce(deliveries).forEach(told::addAll);
      assertThat(told).containsExactlyInAnyOrderElementsOf(all);
      keys.addAll(all);
    }
    assertThat(fixture().written())
        .containsExactlyInAnyOrderElementsOf(keys.stream().map(InboxScene::line).toList());
  }
}
