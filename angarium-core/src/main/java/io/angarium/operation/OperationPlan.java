package io.angarium.operation;

import io.angarium.desk.ActBy;
import io.angarium.desk.MessageFilter;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operation is to do. Immutable.
 *
 * @param id chosen by the person who begins it, so that a repeated request begins it once
 * @param filter which messages are meant
 * @param scope which of them the person may change
 * @param undoes only messages that this operation discarded are brought back; null for one that
 *     takes nothing back
 * @param until only messages that were in the stage at this instant are changed, by the database's
 *     clock; an instant to come is cut to the begin
 * @param delay how long it can be cancelled before anything happens, 0..{@link #DELAY_MAX}
 * @param rate messages a second, 1..{@link #RATE_MAX}
 * @param firstFew pauses by itself after so many messages, so that a person can look what became of
 *     them; 0 for never, at most {@link #FIRST_FEW_MAX}
 * @param messagesMax stops by itself after so many messages, 1 or more
 * @param by who begins it, and why
 */
public record OperationPlan(
    UUID id,
    OperationKind kind,
    MessageFilter filter,
    OperationScope scope,
    @Nullable UUID undoes,
    Instant until,
    Duration delay,
    int rate,
    int firstFew,
    long messagesMax,
    ActBy by) {
  /** The usual time before anything happens. */
  public static final Duration DELAY = Duration.ofSeconds(10);

  /** The longest time before anything happens. */
  public static final Duration DELAY_MAX = Duration.ofHours(1);

  /** The usual pace. */
  public static final int RATE = 200;

  /** The highest pace. */
  public static final int RATE_MAX = 10_000;

  /** The most messages after which it pauses by itself. */
  public static final int FIRST_FEW_MAX = 10_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of its range, or an operation that takes
   *     something back is no restore
   */
  public OperationPlan {
    if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
      throw new IllegalArgumentException(
          "delay: %s (expected: 0..%s)"
              .formatted(DurationText.of(delay), DurationText.of(DELAY_MAX)));
    }
    requireRate(rate);
    require("firstFew", firstFew, 0, FIRST_FEW_MAX);
    require("messagesMax", messagesMax, 1, Long.MAX_VALUE);
    if (undoes != null && kind != OperationKind.RESTORE) {
      throw new IllegalArgumentException("kind: " + kind + " (expected: RESTORE, which undoes)");
    }
  }

  /**
   * Checks a pace.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static void requireRate(int rate) {
    require("rate", rate, 1, RATE_MAX);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s: %d (expected: %d..%d)".formatted(name, value, min, max));
    }
  }

  /**
   * An operation of the usual pace that may change all messages of the filter.
   *
   * @param until see {@link #until}
   */
  public static OperationPlan of(
      UUID id, OperationKind kind, MessageFilter filter, Instant until, ActBy by) {
    return new OperationPlan(
        id,
        kind,
        filter,
        OperationScope.ALL,
        null,
        until,
        DELAY,
        RATE,
        0,
        Long.MAX_VALUE,
        new ActBy(by.decision(), by.via(), id));
  }

  /** Whether it is the same operation, so that it was asked for twice. */
  public boolean isSame(OperationPlan other) {
    return id.equals(other.id)
        && kind == other.kind
        && filter.equals(other.filter)
        && Objects.equals(undoes, other.undoes)
        && by.decision().equals(other.by.decision());
  }

  /** A copy with another pace. */
  public OperationPlan rate(int rate) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy that pauses after so many messages. */
  public OperationPlan firstFew(int firstFew) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy that begins at another time. */
  public OperationPlan delay(Duration delay) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy that stops after so many messages. */
  public OperationPlan messagesMax(long messagesMax) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy for what a person may change. */
  public OperationPlan scope(OperationScope scope) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy up to another instant. */
  public OperationPlan until(Instant until) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }

  /** A copy that brings back only what an operation discarded. */
  public OperationPlan undoes(UUID undoes) {
    return new OperationPlan(
        id, kind, filter, scope, undoes, until, delay, rate, firstFew, messagesMax, by);
  }
}
