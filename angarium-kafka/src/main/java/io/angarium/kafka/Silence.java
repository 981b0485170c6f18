package io.angarium.kafka;

import java.time.Duration;

/**
 * Whether brokers answer at all. Each time that a producer is offered a message while none does, it
 * looks for one at once and logs that; so once they have been silent for a moment, they are asked
 * seldom. Guarded by the transport's lock.
 */
final class Silence {
  /** Producers that have just been started need so long for their first answer at most, mostly. */
  private static final Duration QUICK = Duration.ofMillis(500);

  private final long pauseNanos;
  private boolean silent;
  private long sinceNanos;
  private long askedNanos;

  /**
   * @param holdMax how long messages are held back; they are offered twice in that time at least
   */
  Silence(Duration holdMax) {
    this.pauseNanos = holdMax.dividedBy(2).toNanos();
  }

  /** False if there is no use in asking now. */
  boolean mayAsk(long nowNanos) {
    return !silent
        || nowNanos - sinceNanos < QUICK.toNanos()
        || nowNanos - askedNanos >= pauseNanos;
  }

  /** A producer has been offered a message. */
  void asked(boolean isSilent, long nowNanos) {
    if (isSilent && !silent) {
      sinceNanos = nowNanos;
    }
    silent = isSilent;
    askedNanos = nowNanos;
  }
}
