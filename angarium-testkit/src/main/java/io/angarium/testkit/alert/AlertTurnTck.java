package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.KEY;
import static io.angarium.testkit.alert.AlertScene.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which node looks for alerts, and that no other node writes them. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AlertTurnTck extends AlertFixtureTck {
  @Test
  default void oneNodeHasTheTurn() {
    Turn first = scene().turn();

    assertThat(fixture().store().begin("b", LEASE)).isNull();
    Turn again = scene().turn();
    assertThat(again.token()).isEqualTo(first.token());
    assertThat(again.now()).isAfterOrEqualTo(first.now());
  }

  @Test
  default void anotherNodeTakesTheTurnOfOneThatIsGone() {
    Turn first = Objects.requireNonNull(fixture().store().begin("a", Duration.ofMillis(200)));
    fixture().pass(Duration.ofMillis(250));

    Turn second = Objects.requireNonNull(fixture().store().begin("b", LEASE));

    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(fixture().store().begin("a", LEASE)).isNull();
    assertThat(
            fixture()
                .store()
                .save(first, List.of(AlertScene.alert(KEY, AlertState.FIRING)), List.of()))
        .isFalse();
    assertThat(fixture().store().alerts()).isEmpty();
  }

  @Test
  default void turnThatHasEndedWritesNothing() {
    Turn turn = Objects.requireNonNull(fixture().store().begin("a", Duration.ofMillis(200)));
    fixture().pass(Duration.ofMillis(250));

    assertThat(
            fixture()
                .store()
                .save(turn, List.of(AlertScene.alert(KEY, AlertState.FIRING)), List.of()))
        .isFalse();
    assertThat(fixture().store().alerts()).isEmpty();
  }

  @Test
  default void turnThatIsGivenBackIsFree() {
    scene().turn();
    fixture().store().end("b"); // not its own
    assertThat(fixture().store().begin("b", LEASE)).isNull();

    fixture().store().end("a");

    assertThat(fixture().store().begin("b", LEASE)).isNotNull();
  }

  @Test // else a round that was under way at the end could still write
  default void nodeThatBeginsAgainAfterItsEndHasAnotherTurn() {
    Turn before = scene().turn();
    fixture().store().end("a");

    Turn after = scene().turn();

    assertThat(after.token()).isGreaterThan(before.token());
    assertThat(
            fixture()
                .store()
                .save(before, List.of(AlertScene.alert(KEY, AlertState.FIRING)), List.of()))
        .isFalse();
    assertThat(fixture().store().alerts()).isEmpty();
  }

  @Test
  default void oneOfManyGetsTheTurn() {
    long begun =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(i -> fixture().store().begin("node-" + i, LEASE))
            .filter(Objects::nonNull)
            .count();

    assertThat(begun).isEqualTo(1);
  }

  @Test
  default void nodeGoesOnAfterItsEndIfNoOtherTookTheTurn() {
    Turn first = Objects.requireNonNull(fixture().store().begin("a", Duration.ofMillis(50)));
    fixture().pass(Duration.ofMillis(100));

    Turn again = scene().turn();

    assertThat(again.now()).isAfter(first.now());
    assertThat(again.token()).isGreaterThan(first.token());
    assertThat(fixture().store().save(again, List.of(), List.of())).isTrue();
    assertThat(fixture().store().begin("b", LEASE)).isNull();
  }

  @Test
  default void turnThatGoesOnIsHeldForTheWholeLease() {
    fixture().store().begin("a", Duration.ofMillis(50));
    scene().turn();
    fixture().pass(Duration.ofMillis(100));

    assertThat(fixture().store().begin("b", LEASE)).isNull();
  }

  @Test
  default void lostTurnDeletesNothing() {
    Alert alert = scene().saved(AlertState.FIRING);
    Turn lost = scene().turn();
    fixture().store().end("a");
    assertThat(fixture().store().begin("b", LEASE)).isNotNull();

    assertThat(fixture().store().save(lost, List.of(), List.of(KEY))).isFalse();

    assertThat(fixture().store().alerts()).containsExactly(alert);
  }

  @Test
  default void turnThatWasGivenBackWritesNothing() {
    Turn turn = scene().turn();
    fixture().store().end("a");

    assertThat(
            fixture()
                .store()
                .save(turn, List.of(AlertScene.alert(KEY, AlertState.FIRING)), List.of()))
        .isFalse();

    assertThat(fixture().store().alerts()).isEmpty();
  }

  @Test
  default void tokensOfOtherNodesGrow() {
    long token = scene().turn().token();
    for (String node : List.of("b", "a", "n'o\"d\\e; 😀")) {
      fixture().store().end("a");
      fixture().store().end("b");
      Turn next = Objects.requireNonNull(fixture().store().begin(node, LEASE));
      assertThat(next.token()).isGreaterThan(token);
      token = next.token();
    }
  }
}
