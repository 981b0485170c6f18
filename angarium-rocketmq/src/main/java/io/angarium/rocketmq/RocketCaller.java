package io.angarium.rocketmq;

/**
 * Who calls {@code send}: one relay, or all that have no view of the transport. Told apart by
 * identity. Guarded by the lock of {@link Queues}.
 */
final class RocketCaller {
  private long calls;

  /**
   * A call of {@code send}.
   *
   * @param number counted from 1 for each caller
   */
  record Call(RocketCaller caller, long number) {}

  /**
   * Begins a call.
   *
   * @param counts false if it says nothing of what its caller has seen
   */
  Call call(boolean counts) {
    calls += counts ? 1 : 0;
    return new Call(this, calls);
  }

  /** How many calls have begun. */
  long calls() {
    return calls;
  }
}
