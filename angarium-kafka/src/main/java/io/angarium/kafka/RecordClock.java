package io.angarium.kafka;

import java.time.Duration;

/**
 * Which clock the times of a topic's records are of. It is this host's, whose times retention can
 * count; after a refusal of one it is the database's for a minute, by which messages are dated that
 * may have waited long. Thread-safe.
 */
final class RecordClock {
  private static final Duration LAPSE = Duration.ofMinutes(1);

  private volatile Refusal last = new Refusal(true, 0);

  private record Refusal(boolean ofDatabase, long atNanos) {}

  boolean isDatabases(long nowNanos) {
    Refusal refusal = last;
    return !refusal.ofDatabase && nowNanos - refusal.atNanos < LAPSE.toNanos();
  }

  /**
   * The topic has refused a time.
   *
   * @param ofDatabase true if it was of the database's clock
   */
  void refused(boolean ofDatabase, long nowNanos) {
    last = new Refusal(ofDatabase, nowNanos);
  }
}
