package io.angarium.testkit.tck;

import static io.angarium.half.HalfState.COMMITTED;
import static io.angarium.half.HalfState.COMMIT_REMEMBERED;
import static io.angarium.half.HalfState.PREPARED;
import static io.angarium.half.HalfState.ROLLED_BACK;
import static io.angarium.half.HalfState.UNKNOWN;
import static io.angarium.testkit.tck.HalfScene.commit;
import static io.angarium.testkit.tck.HalfScene.key;
import static io.angarium.testkit.tck.HalfScene.prepare;
import static io.angarium.testkit.tck.HalfScene.rollback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.Refusal;
import io.angarium.half.WhenUnknown;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several calls together. Part of {@link HalfMessagesTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface HalfBatchTck extends HalfFixtureTck {
  @Test
  default void everyCallOfABatchHasItsAnswer() {
    fixture().half().callAll(List.of(prepare(key("3")), prepare(key("1")), prepare(key("2"))));

    List<HalfAnswer> answers =
        fixture()
            .half()
            .callAll(
                List.of(
                    rollback(key("2")),
                    commit(key("unknown")),
                    commit(key("3")),
                    prepare(key("4"))));

    assertThat(answers)
        .containsExactly(
            new HalfAnswer(key("2"), ROLLED_BACK, null),
            new HalfAnswer(key("unknown"), UNKNOWN, Refusal.UNKNOWN),
            new HalfAnswer(key("3"), COMMITTED, null),
            new HalfAnswer(key("4"), PREPARED, null));
    assertThat(new HalfScene(fixture()).sent()).containsExactly("3");
    assertThat(
            fixture()
                .half()
                .states(List.of(key("1"), key("2"), key("3"), key("4"), key("unknown"))))
        .isEqualTo(
            Map.of(
                key("1"),
                PREPARED,
                key("2"),
                ROLLED_BACK,
                key("3"),
                COMMITTED,
                key("4"),
                PREPARED,
                key("unknown"),
                UNKNOWN));
  }

  @Test
  default void callsOfOneKeyTakeEffectInTheirOrder() {
    List<HalfAnswer> answers =
        fixture()
            .half()
            .callAll(
                List.of(
                    commit(key("1")),
                    prepare(key("1")),
                    new HalfCall.Commit(key("2"), WhenUnknown.REMEMBER),
                    commit(key("1")),
                    rollback(key("1")),
                    prepare(key("2")),
                    prepare(key("1"))));

    assertThat(answers)
        .containsExactly(
            new HalfAnswer(key("1"), UNKNOWN, Refusal.UNKNOWN),
            new HalfAnswer(key("1"), PREPARED, null),
            new HalfAnswer(key("2"), COMMIT_REMEMBERED, null),
            new HalfAnswer(key("1"), COMMITTED, null),
            new HalfAnswer(key("1"), COMMITTED, Refusal.ALREADY_COMMITTED),
            new HalfAnswer(key("2"), COMMITTED, null),
            new HalfAnswer(key("1"), COMMITTED, null));
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  default void batchWithAMessageThatBreaksALimitHasNoEffect() {
    fixture().half().prepare(HalfScene.message(key("1")));
    HalfMessage wrong =
        HalfMessage.of(key("3"), Message.of("kafka:orders", new byte[0]).type("t".repeat(256)));

    assertThatThrownBy(
            () ->
                fixture()
                    .half()
                    .callAll(
                        List.of(commit(key("1")), prepare(key("2")), new HalfCall.Prepare(wrong))))
        .isInstanceOf(InvalidMessageException.class);

    assertThat(fixture().sent()).isEmpty();
    assertThat(fixture().half().states(List.of(key("1"), key("2"), key("3"))))
        .isEqualTo(Map.of(key("1"), PREPARED, key("2"), UNKNOWN, key("3"), UNKNOWN));
  }

  @Test
  default void emptyBatchHasNoAnswers() {
    assertThat(fixture().half().callAll(List.of())).isEmpty();
    assertThat(fixture().half().states(List.of())).isEmpty();
  }

  @Test
  default void batchOfThousandsIsDoneWhole() {
    List<HalfKey> keys = IntStream.range(0, 2_500).mapToObj(i -> key("key-" + i)).toList();
    fixture().half().callAll(keys.stream().map(HalfScene::prepare).toList());

    List<HalfAnswer> answers =
        fixture().half().callAll(keys.stream().map(HalfScene::commit).toList());

    assertThat(answers).extracting(HalfAnswer::key).containsExactlyElementsOf(keys);
    assertThat(answers).extracting(HalfAnswer::state).containsOnly(COMMITTED);
    assertThat(new HalfScene(fixture()).sent())
        .containsExactlyInAnyOrderElementsOf(keys.stream().map(HalfKey::key).toList());
    assertThat(fixture().half().states(keys)).hasSize(2_500).containsValue(COMMITTED);
  }
}
