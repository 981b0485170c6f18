package io.angarium.half;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.internal.DurationText;
import java.time.Duration;

/** A call for one half message, so that several can be made together. Immutable. */
public sealed interface HalfCall {
  /** Which half message. */
  HalfKey key();

  /** What it does. */
  HalfStep step();

  /**
   * This call with its message, if it has one, checked and completed, as an outbox does it; for
   * clients, before they send it.
   *
   * @throws InvalidMessageException if the message breaks a limit, or a commit has a delay, which
   *     no way to a server carries
   */
  default HalfCall accepted(MessageIntake intake) {
    if (this instanceof Prepare prepare) {
      HalfMessage half = prepare.message();
      Message message = intake.accept(half.message(), Handover.NONE).message();
      return new Prepare(new HalfMessage(half.key(), message, half.delay(), half.checkBack()));
    }
    if (this instanceof Commit commit && !commit.delay().isZero()) {
      throw new InvalidMessageException(
          "half message %s: a commit with a delay (expected: the delay with the prepare; what is called over a network carries it there)"
              .formatted(commit.key()));
    }
    return this;
  }

  /**
   * Stores a half message.
   *
   * @param message with its key
   */
  record Prepare(HalfMessage message) implements HalfCall {
    @Override
    public HalfKey key() {
      return message.key();
    }

    @Override
    public HalfStep step() {
      return HalfStep.PREPARE;
    }
  }

  /**
   * Has a half message sent.
   *
   * @param key which one
   * @param whenUnknown what becomes of the decision if nobody has prepared it
   * @param delay how long it is not sent after the commit, in the place of the delay of its
   *     prepare; zero for that one. Only with {@link WhenUnknown#REFUSE}
   */
  record Commit(HalfKey key, WhenUnknown whenUnknown, Duration delay) implements HalfCall {
    /**
     * Checks it.
     *
     * @throws InvalidMessageException if the delay is out of range, or the decision would be
     *     remembered without it
     */
    public Commit {
      boolean inside = !delay.isNegative() && delay.compareTo(HalfMessage.DELAY_MAX) <= 0;
      if (!inside || (!delay.isZero() && whenUnknown != WhenUnknown.REFUSE)) {
        throw new InvalidMessageException(
            "half message %s: commit with delay %s (expected: 0s..%s, and none if it is to be remembered)"
                .formatted(key, DurationText.of(delay), DurationText.of(HalfMessage.DELAY_MAX)));
      }
    }

    /** One with the delay of its prepare. */
    public Commit(HalfKey key, WhenUnknown whenUnknown) {
      this(key, whenUnknown, Duration.ZERO);
    }

    @Override
    public HalfStep step() {
      return whenUnknown == WhenUnknown.REMEMBER ? HalfStep.COMMIT_OR_REMEMBER : HalfStep.COMMIT;
    }
  }

  /**
   * Has a half message dropped.
   *
   * @param key which one
   * @param whenUnknown what becomes of the decision if nobody has prepared it
   */
  record Rollback(HalfKey key, WhenUnknown whenUnknown) implements HalfCall {
    @Override
    public HalfStep step() {
      return whenUnknown == WhenUnknown.REMEMBER
          ? HalfStep.ROLLBACK_OR_REMEMBER
          : HalfStep.ROLLBACK;
    }
  }
}
