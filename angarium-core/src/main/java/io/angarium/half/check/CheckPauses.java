package io.angarium.half.check;

import java.time.Duration;

/**
 * How long is waited between questions. A fifth of each pause depends on the number and the version
 * of the check, in a way that looks random: what was asked together does not return together.
 * Immutable.
 */
record CheckPauses(CheckBackConfig.Pauses pauses) {
  private static final double SPREAD = 0.2;
  private static final Duration OVERFLOW_FIRST = Duration.ofSeconds(5);
  private static final Duration ENDPOINT_FIRST = Duration.ofSeconds(1);

  /** After an answer that the business transaction is open. */
  Duration inFlight(DueCheck check) {
    return spread(check, pauses.min());
  }

  /**
   * After an answer that knows nothing.
   *
   * @param unknown how many there were, at least 1
   */
  Duration unknown(DueCheck check, int unknown) {
    return spread(check, grown(pauses.min(), pauses.factor(), unknown, pauses.max()));
  }

  /**
   * After the producer could not be asked.
   *
   * @param times how often in a row, at least 1
   */
  Duration unreachable(DueCheck check, int times) {
    return spread(check, grown(pauses.min(), 2, times, pauses.unreachableMax()));
  }

  /**
   * Until an endpoint that has too much to do gets more.
   *
   * @param times how often in a row it had, at least 1
   */
  Duration overflow(int times) {
    return grown(OVERFLOW_FIRST, 2, times, pauses.unreachableMax());
  }

  /**
   * Before an endpoint is probed that could not be reached.
   *
   * @param times how often in a row, at least 1
   */
  Duration endpoint(int times) {
    return grown(ENDPOINT_FIRST, 2, times, pauses.unreachableMax());
  }

  private static Duration grown(Duration first, double factor, int times, Duration max) {
    double millis = first.toMillis() * Math.pow(factor, times - 1.0);
    return Duration.ofMillis((long) Math.min(millis, (double) max.toMillis()));
  }

  private static Duration spread(DueCheck check, Duration pause) {
    double share = (mixed(check.number() * 31 + check.version()) >>> 11) * 0x1.0p-53;
    return Duration.ofMillis(Math.max(1, (long) (pause.toMillis() * (1 - SPREAD * share))));
  }

  /** The last step of SplitMix64. */
  private static long mixed(long value) {
    long mixed = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
