package io.angarium.half;

import static io.angarium.half.HalfState.COMMITTED;
import static io.angarium.half.HalfState.COMMIT_REMEMBERED;
import static io.angarium.half.HalfState.PREPARED;
import static io.angarium.half.HalfState.ROLLBACK_REMEMBERED;
import static io.angarium.half.HalfState.ROLLED_BACK;
import static io.angarium.half.HalfState.UNRESOLVED;
import static io.angarium.half.Refusal.ALREADY_COMMITTED;
import static io.angarium.half.Refusal.ALREADY_ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfState.Transition;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole table, cell by cell, and what keys and messages may be. */
final class HalfStateTest {
  private static final HalfKey KEY = new HalfKey("order", "1");
  private static final Message MESSAGE = Message.of("kafka:orders", new byte[0]);

  private static Transition to(HalfState state) {
    return new Transition(state, null);
  }

  private static Transition no(HalfState state, @Nullable Refusal refusal) {
    return new Transition(state, refusal);
  }

  /** In the order of the steps. */
  private static List<Transition> row(HalfState state) {
    Transition unknown = no(HalfState.UNKNOWN, Refusal.UNKNOWN);
    return switch (state) {
      case UNKNOWN ->
          List.of(
              to(PREPARED),
              unknown,
              to(COMMIT_REMEMBERED),
              unknown,
              to(ROLLBACK_REMEMBERED),
              unknown,
              unknown);
      case PREPARED ->
          List.of(
              to(PREPARED),
              to(COMMITTED),
              to(COMMITTED),
              to(ROLLED_BACK),
              to(ROLLED_BACK),
              to(UNRESOLVED),
              to(PREPARED));
      case UNRESOLVED ->
          List.of(
              to(UNRESOLVED),
              to(COMMITTED),
              to(COMMITTED),
              to(ROLLED_BACK),
              to(ROLLED_BACK),
              to(UNRESOLVED),
              to(PREPARED));
      case COMMIT_REMEMBERED -> committed(to(COMMITTED), state);
      case COMMITTED -> committed(to(COMMITTED), state);
      case ROLLBACK_REMEMBERED, ROLLED_BACK -> rolledBack(state);
    };
  }

  private static List<Transition> committed(Transition prepare, HalfState state) {
    Transition no = no(state, ALREADY_COMMITTED);
    return List.of(prepare, to(state), to(state), no, no, no, no);
  }

  private static List<Transition> rolledBack(HalfState state) {
    Transition no = no(state, ALREADY_ROLLED_BACK);
    Transition prepare = no(ROLLED_BACK, ALREADY_ROLLED_BACK);
    return List.of(prepare, no, no, to(state), to(state), no, no);
  }

  @ParameterizedTest
  @EnumSource
  void everyStepLeadsWhereTheTableSays(HalfState state) {
    List<Transition> led = Stream.of(HalfStep.values()).map(state::after).toList();

    assertThat(led).isEqualTo(row(state));
  }

  @ParameterizedTest
  @EnumSource
  void finalStatesNeverChange(HalfState state) {
    for (HalfStep step : HalfStep.values()) {
      if (state.isFinal()) {
        assertThat(state.after(step).state()).isEqualTo(state);
      }
    }
  }

  @Test
  void refusalNamesKeyReasonAndCode() {
    HalfAnswer answer = HalfAnswer.of(KEY, ROLLED_BACK.after(HalfStep.COMMIT));

    assertThatThrownBy(answer::accepted)
        .isInstanceOfSatisfying(
            RefusedStepException.class, e -> assertThat(e.refusal()).isEqualTo(ALREADY_ROLLED_BACK))
        .hasMessageContainingAll("order/1", "rolled back before", "ALREADY_ROLLED_BACK");
  }

  /** Part of the table format. */
  @Test
  void keyHasTheIdItAlwaysHad() {
    assertThat(KEY.id()).isEqualTo(UUID.fromString("3b138351-1717-8c12-b259-e2ea6b633f99"));
    assertThat(new HalfKey("order1", "1").id()).isNotEqualTo(new HalfKey("order", "11").id());
    assertThat(KEY.id().version()).isEqualTo(8);
    assertThat(KEY.id().variant()).isEqualTo(2);
  }

  @Test
  void keysHaveLimits() {
    assertThat(new HalfKey("b".repeat(128), "k".repeat(255)).key()).hasSize(255);
    for (String wrong : List.of("", " ", "a\u0000b", "x".repeat(256))) {
      assertThatThrownBy(() -> new HalfKey("order", wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("half message key: '" + wrong);
    }
    assertThatThrownBy(() -> new HalfKey("b".repeat(129), "1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void messageHasOneDelayAtMost() {
    HalfMessage message = HalfMessage.of(KEY, MESSAGE);

    for (Duration wrong : List.of(Duration.ofNanos(-1), Duration.ofDays(367))) {
      assertThatThrownBy(() -> message.delay(wrong))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContainingAll("order/1", DurationText.of(wrong));
    }
    HalfMessage due = HalfMessage.of(KEY, MESSAGE.notBefore(Instant.EPOCH));
    assertThatThrownBy(() -> due.delay(Duration.ofSeconds(1)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("one of them");
  }

  @Test
  void messageHasNoUniqueBusinessKeyOfItsOwn() {
    Message unique = MESSAGE.business(new BusinessKey("order", "1", Uniqueness.REFUSE));

    assertThatThrownBy(() -> HalfMessage.of(KEY, unique))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("unique business key");
    assertThat(HalfMessage.of(KEY, MESSAGE.business("order", "1")).key()).isEqualTo(KEY);
  }
}
