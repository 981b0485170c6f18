package io.angarium.half.check;

import java.time.Duration;

/**
 * Whether a place cannot be reached, since when, and when it is probed. Over as soon as somebody is
 * found. One thread.
 */
final class Outage {
  /** How long one is remembered about which nobody asks any more. */
  private static final Duration KEPT = Duration.ofHours(1);

  private int failures;
  private long sinceNanos;
  private long probeAtNanos;
  private boolean probing;
  private String reason = "";
  private boolean told;
  private boolean lifted;

  boolean isOn() {
    return failures > 0;
  }

  /** A question found nobody; the pause to the next probe grows. */
  void add(long nowNanos, CheckPauses pauses, String why) {
    reason = why;
    if (failures == 0 && !lifted) {
      sinceNanos = nowNanos;
    }
    if (failures == 0 || probing) {
      failures++;
      probeAtNanos = nowNanos + pauses.endpoint(failures).toNanos();
    }
    probing = false;
  }

  /**
   * A question found somebody.
   *
   * @return true if the outage was told of
   */
  boolean end() {
    boolean wasTold = told;
    clear();
    return wasTold;
  }

  void clear() {
    told = false;
    lifted = false;
    failures = 0;
    probing = false;
  }

  /** Nobody was found, but there is no need to wait. It goes on if nobody is found next. */
  void lift() {
    lifted = true;
    failures = 0;
    probing = false;
  }

  /** A question is asked; the next one waits for its answer if there is an outage. */
  void asked() {
    probing = isOn();
  }

  /** True if nothing may be asked before an answer or a pause is over. */
  boolean pauses(long nowNanos) {
    return isOn() && (probing || nowNanos - probeAtNanos < 0);
  }

  /** How long it is until the next probe. */
  Duration left(long nowNanos) {
    return isOn() ? Duration.ofNanos(Math.max(0, probeAtNanos - nowNanos)) : Duration.ZERO;
  }

  /** True if there is none, or nobody has asked for long. */
  boolean isIdle(long nowNanos) {
    return !isOn() || nowNanos - probeAtNanos >= KEPT.toNanos();
  }

  /** Why nobody was found the last time. */
  String reason() {
    return reason;
  }

  /** For how long nobody was found. */
  Duration lasts(long nowNanos) {
    return isOn() ? Duration.ofNanos(nowNanos - sinceNanos) : Duration.ZERO;
  }

  /** True if it was told of. */
  boolean isTold() {
    return told;
  }

  /**
   * True once, when it has lasted for so long.
   *
   * @param alertAfter how long that is
   */
  boolean isToBeTold(long nowNanos, Duration alertAfter) {
    boolean now = !told && isOn() && lasts(nowNanos).compareTo(alertAfter) >= 0;
    told |= now;
    return now;
  }
}
