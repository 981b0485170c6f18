package io.angarium.half;

import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;

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
   * @throws io.angarium.InvalidMessageException if the message breaks a limit
   */
  default HalfCall accepted(MessageIntake intake) {
    if (this instanceof Prepare prepare) {
      HalfMessage half = prepare.message();
      Message message = intake.accept(half.message(), Handover.NONE).message();
      return new Prepare(new HalfMessage(half.key(), message, half.delay(), half.checkBack()));
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
   */
  record Commit(HalfKey key, WhenUnknown whenUnknown) implements HalfCall {
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
