package io.angarium.crash;

/** Where in the way of a message a process is killed. */
enum CrashPoint {
  /** Nowhere by itself; killed at a random moment. */
  ANY_TIME,
  /** The messages are written, the business transaction not yet committed. */
  BEFORE_COMMIT,
  /** Committed, not yet handed to the relay. */
  AFTER_COMMIT,
  /** Rows were read, not yet handed to the transport. */
  AFTER_READ,
  /** Messages were handed to the transport. */
  AFTER_SEND,
  /** Messages were acknowledged, their rows not yet deleted. */
  BEFORE_DELETE,
  /** Rows were deleted; the relay does not know yet. */
  AFTER_DELETE,
  /** A failed message is about to be parked. */
  BEFORE_PARK,
  /** A failed message was parked. */
  AFTER_PARK,
  /** A retried message was acknowledged, the parked list not yet settled. */
  BEFORE_SETTLE,
  /** The parked list was settled. */
  AFTER_SETTLE,
  /** Partitions were taken, nothing sent yet. */
  AFTER_ACQUIRE;

  /** True if only a process that runs business transactions comes by. */
  boolean needsProducer() {
    return this == BEFORE_COMMIT || this == AFTER_COMMIT;
  }

  /** True if only a process whose attempts fail comes by. */
  boolean needsFailures() {
    return this == BEFORE_PARK
        || this == AFTER_PARK
        || this == BEFORE_SETTLE
        || this == AFTER_SETTLE;
  }

  /** How often a process may pass unharmed, so that it still comes by soon. */
  int passesMax() {
    return this == AFTER_ACQUIRE ? 0 : needsFailures() ? 3 : 20;
  }
}
