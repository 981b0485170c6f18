package io.angarium.relay.internal.send;

import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.CircuitTiming;

/**
 * The state of one destination: closed, open after it was unavailable or paused, then probed with
 * one message and ramped up, four times as many each time: each step is a way to the broker and a
 * read of what waits. Messages without a permit are held back, not failed. It closes at the end of
 * the ramp, or before it once the destination answered and has permits left though all that waits
 * was looked at. Not thread-safe: one thread at a time.
 */
public final class Circuit {
  private static final int RAMP_END = 1_024;
  private static final int RAMP_FACTOR = 4;

  /** What waits for a destination besides what is in flight. */
  public enum Demand {
    /** Messages were held back for want of permits. */
    HELD,
    /** Perhaps some: not everything was read since the last permits were given. */
    UNKNOWN,
    /** Nothing. */
    NONE
  }

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
    if (rests()) {
      return false;
    }
    permits--;
    inFlight++;
    return true;
  }

  /** True if a new circuit would be no different. */
  boolean isIdle() {
    return state == CircuitState.CLOSED && inFlight == 0;
  }

  /** Messages that may be sent now. */
  int permits() {
    return state == CircuitState.CLOSED ? Integer.MAX_VALUE : permits;
  }

  /** True if {@link #grant} may change something, now or after some time. */
  boolean awaitsGrant() {
    return state != CircuitState.CLOSED && state != CircuitState.PAUSED && inFlight == 0;
  }

  /** Gives no permits until {@link #resume}; what has one goes on. */
  void pause() {
    state = CircuitState.PAUSED;
    permits = 0;
    failures = 0;
  }

  /** Lets it be probed at once after a pause. */
  void resume(long nowNanos) {
    state = CircuitState.OPEN;
    probeAtNanos = nowNanos;
  }

  /** When it is probed, while it is open. */
  long probeAtNanos() {
    return probeAtNanos;
  }

  /** True if there is no permit now. */
  boolean rests() {
    return state != CircuitState.CLOSED && permits == 0;
  }

  /** A message with a permit has its result: the destination answered. */
  void answered() {
    inFlight--;
    if (state == CircuitState.HALF_OPEN) {
      failures = 0;
    }
  }

  /** A message with a permit was never handed over: another one may have it. */
  void returned() {
    inFlight--;
    if (state == CircuitState.HALF_OPEN) {
      permits++;
    }
  }

  /** A message with a permit found the destination unavailable. */
  void unavailable(long nowNanos) {
    inFlight--;
    if (state == CircuitState.OPEN || state == CircuitState.PAUSED) {
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
   * Gives new permits when it is time to probe or to ramp up: once all of the last were used and
   * have their results.
   *
   * @return true if held messages should be tried now
   */
  boolean grant(long nowNanos, Demand demand) {
    if (inFlight > 0) {
      return false;
    }
    if (state == CircuitState.OPEN && nowNanos - probeAtNanos >= 0) {
      state = CircuitState.HALF_OPEN;
      ramp = 1;
      permits = 1;
      return true;
    }
    if (state != CircuitState.HALF_OPEN) {
      return false;
    }
    if (permits == 0) {
      rampUp();
      return true;
    }
    if (demand == Demand.NONE && failures == 0) {
      state = CircuitState.CLOSED;
    }
    return demand == Demand.HELD;
  }

  private void rampUp() {
    if (ramp < RAMP_END) {
      ramp *= RAMP_FACTOR;
      permits = ramp;
    } else {
      state = CircuitState.CLOSED;
    }
  }
}
