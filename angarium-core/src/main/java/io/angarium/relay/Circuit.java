package io.angarium.relay;

/**
 * The state of one destination: closed, open after it was unavailable, then probed with one message
 * and ramped up by doubling. Messages without a permit are held back, not failed. Not thread-safe:
 * one thread at a time.
 */
final class Circuit {
  private static final int RAMP_END = 1_024;

  private final CircuitTiming timing;
  private CircuitState state = CircuitState.CLOSED;
  private int failures;
  private int ramp;
  private int permits;
  private int inFlight;
  private long probeAtNanos;

  Circuit(CircuitTiming timing) {
    this.timing = timing;
  }

  CircuitState state() {
    return state;
  }

  /** Takes a permit to send one message, if there is one. */
  boolean permit() {
    if (state == CircuitState.CLOSED) {
      inFlight++;
      return true;
    }
    if (state == CircuitState.OPEN || permits == 0) {
      return false;
    }
    permits--;
    inFlight++;
    return true;
  }

  /** A message with a permit has its result: the destination answered. */
  void answered() {
    inFlight--;
    if (state == CircuitState.HALF_OPEN) {
      failures = 0;
    }
  }

  /** A message with a permit was never handed over. */
  void returned() {
    inFlight--;
  }

  /** A message with a permit found the destination unavailable. */
  void unavailable(long nowNanos) {
    inFlight--;
    if (state == CircuitState.OPEN) {
      return;
    }
    state = CircuitState.OPEN;
    permits = 0;
    long pause = timing.firstPause().toNanos() << Math.min(failures, 20);
    boolean overflow = pause <= 0 || pause > timing.pauseMax().toNanos();
    probeAtNanos = nowNanos + (overflow ? timing.pauseMax().toNanos() : pause);
    failures++;
  }

  /**
   * Gives new permits when it is time to probe or to ramp up.
   *
   * @param held whether messages are held back for want of permits
   * @return true if held messages should be tried now
   */
  boolean grant(long nowNanos, boolean held) {
    if (state == CircuitState.OPEN && inFlight == 0 && nowNanos - probeAtNanos >= 0) {
      state = CircuitState.HALF_OPEN;
      ramp = 1;
      permits = 1;
      return true;
    }
    if (state == CircuitState.HALF_OPEN && inFlight == 0) {
      return failures == 0 ? rampUp(held) : probeAgain(held);
    }
    return state == CircuitState.CLOSED;
  }

  private boolean rampUp(boolean held) {
    if (held && ramp < RAMP_END) {
      ramp *= 2;
      permits = ramp;
    } else {
      state = CircuitState.CLOSED;
    }
    return true;
  }

  /** The message that had the permit was never handed over: another one may have it. */
  private boolean probeAgain(boolean held) {
    permits = 1;
    return held;
  }
}
