package io.angarium.half;

/** A call for one half message, so that several can be made together. Immutable. */
public sealed interface HalfCall {
  /** Which half message. */
  HalfKey key();

  /** What it does. */
  HalfStep step();

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
