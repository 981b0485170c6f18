package io.angarium.kafka;

import java.time.Duration;

/**
 * Whether brokers answer at all. A producer that is offered a message while none does wakes up,
 * looks for one and logs that; so they are asked less and less often while they are silent. Guarded
 * by the transport's lock.
 */
final class ProducerSilence {
  private final long pauseMaxNanos;
  private boolean silent;
  private long sinceNanos;
  private long pauseNanos;
  private long askedNanos;

  /**
   * @param holdMax how long messages are held back; they are offered twice in that time at least
   */
  ProducerSilence(Duration holdMax) {
    this.pauseMaxNanos = holdMax.dividedBy(2).toNanos();
  }

  /** False if there is no use in asking now. */
  boolean mayAsk(long nowNanos) {
    return !silent || nowNanos - askedNanos >= pauseNanos;
  }

  /** There is a new producer, which has not asked yet. */
  void forget() {
    silent = false;
  }

  /** A producer has been offered a message. */
  void asked(boolean isSilent, long nowNanos) {
    boolean unasked = nowNanos - askedNanos > 2 * pauseMaxNanos; // perhaps they answered meanwhile
    if (isSilent && (!silent || unasked)) {
      sinceNanos = nowNanos;
    }
    silent = isSilent;
    askedNanos = nowNanos;
    pauseNanos = Math.min(pauseMaxNanos, (nowNanos - sinceNanos) / 2);
  }
}
