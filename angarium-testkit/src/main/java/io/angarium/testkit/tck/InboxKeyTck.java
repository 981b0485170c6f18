package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.InboxScene.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.OutboxException;
import io.angarium.inbox.InboxKey;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * That the work for a key runs once, or not at all. Part of {@link InboxTck}.
 *
 * @param <C> what gives access to a transaction
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface InboxKeyTck<C> extends InboxFixtureTck<C> {

  @Test
  default void workRunsAtTheFirstDeliveryOnly() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    assertThat(scene.write(key("1"), "first")).isTrue();
    assertThat(scene.write(key("1"), "second")).isFalse();
    assertThat(scene.write(fixture().another(), key("1"), "third")).isFalse();

    assertThat(fixture().written()).containsExactly("first");
  }

  /** A message that is acknowledged without its effect is lost. */
  @Test
  default void errorThatTheWorkSwallowsIsNoSuccessWithoutItsEffect() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    boolean done = processed(() -> fixture().inbox().process(key("1"), this::writeAndSwallow));

    scene.assertWritten(done ? List.of("line") : List.of(), done ? List.of() : List.of("line"));
    assertThat(scene.write(key("1"), "again")).isEqualTo(!done);
  }

  @Test
  default void errorThatTheWorkOfABatchSwallowsIsNoSuccessWithoutItsEffect() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    boolean done =
        processed(
            () ->
                fixture()
                    .inbox()
                    .processAll(List.of(key("1")), (open, fresh) -> writeAndSwallow(open)));

    scene.assertWritten(done ? List.of("line") : List.of(), done ? List.of() : List.of("line"));
    assertThat(scene.write(key("1"), "again")).isEqualTo(!done);
  }

  private void writeAndSwallow(C transaction) {
    fixture().write(transaction, "line");
    fixture().swallowError(transaction);
  }

  private static boolean processed(Runnable delivery) {
    try {
      delivery.run();
      return true;
    } catch (OutboxException e) {
      return false;
    }
  }

  @Test
  default void idsOfMessagesAreKeysToo() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    UUID id = UUID.fromString("01900000-0000-7000-8000-000000000001");
    InboxKey key = InboxKey.of("shop", new MessageId(id));

    assertThat(scene.write(key, "a")).isTrue();
    assertThat(scene.write(new InboxKey("shop", id), "again")).isFalse();

    assertThat(fixture().written()).containsExactly("a");
  }

  @Test
  default void everyBitOfAnIdCounts() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    for (UUID id :
        new UUID[] {
          new UUID(0, 0), new UUID(0, 1), new UUID(1, 0), new UUID(-1, -1), new UUID(-1, 0)
        }) {
      assertThat(scene.write(new InboxKey("shop", id), id.toString())).as("%s", id).isTrue();
      assertThat(scene.write(new InboxKey("shop", id), "again")).as("%s", id).isFalse();
    }

    assertThat(fixture().written()).hasSize(5).doesNotContain("again");
  }

  @Test
  default void failedWorkLeavesNothingAndRunsAtTheNextDelivery() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    assertThatThrownBy(
            () ->
                fixture()
                    .inbox()
                    .process(
                        key("1"),
                        transaction -> {
                          fixture().write(transaction, "failed");
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessage("planned");
    scene.assertWritten(List.of(), List.of("failed"));

    assertThat(scene.write(key("1"), "again")).isTrue();
    assertThat(scene.write(key("1"), "duplicate")).isFalse();
    scene.assertWritten(List.of("again"), List.of("failed"));
  }

  @Test
  default void workThatEndsWithAnErrorLeavesNothing() {
    InboxScene<C> scene = new InboxScene<>(fixture());

    assertThatThrownBy(
            () ->
                fixture()
                    .inbox()
                    .process(
                        key("1"),
                        transaction -> {
                          fixture().write(transaction, "failed");
                          throw new LinkageError("planned");
                        }))
        .isInstanceOf(LinkageError.class)
        .hasMessage("planned");

    scene.assertWritten(List.of(), List.of("failed"));
    assertThat(scene.write(fixture().another(), key("1"), "again")).isTrue();
    scene.assertWritten(List.of("again"), List.of("failed"));
  }

  @Test
  default void consumersDoNotKnowOfEachOthersKeys() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    UUID id = new UUID(7, 7);

    for (String consumer : new String[] {"shop", "Shop", "shop ", "sh\u00f6p", "\u5546\u5e97"}) {
      assertThat(scene.write(new InboxKey(consumer, id), consumer)).as(consumer).isTrue();
      assertThat(scene.write(new InboxKey(consumer, id), "again")).as(consumer).isFalse();
    }

    assertThat(fixture().written()).hasSize(5).doesNotContain("again");
  }

  @Test
  default void longestNameOfAConsumerIsKept() {
    InboxScene<C> scene = new InboxScene<>(fixture());
    String same = "c".repeat(InboxKey.CONSUMER_LENGTH_MAX - 1);
    InboxKey longest = new InboxKey(same + "1", new UUID(7, 7));

    assertThat(scene.write(longest, "a")).isTrue();
    assertThat(scene.write(longest, "again")).isFalse();
    assertThat(scene.write(new InboxKey(same + "2", longest.id()), "b")).isTrue();

    assertThat(fixture().written()).containsExactlyInAnyOrder("a", "b");
  }
}
