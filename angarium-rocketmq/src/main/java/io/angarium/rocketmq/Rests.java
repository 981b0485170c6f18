package io.angarium.rocketmq;

import io.angarium.rocketmq.QueueLane.Batch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of a topic on brokers that take its messages, but do not say that they keep them: each
 * try may be one more copy there. One message is let through at the end of each pause, and each is
 * twice as long as the one before. Guarded by the lock of {@link Queues}.
 */
final class Rests {
  /** So a pause takes no longer than the trouble did before it. */
  private static final int FACTOR = 2;

  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration MAX = Duration.ofMinutes(1);

  private final Map<String, Rest> ofBrokers = new HashMap<>(0);
  private final Duration answerMax;

  /** One broker's. */
  private static final class Rest {
    final String reason;
    final long pauseNanos;
    final long begunNanos;
    long endNanos;

    Rest(String reason, long pauseNanos, long nowNanos) {
      this.reason = reason;
      this.pauseNanos = pauseNanos;
      this.begunNanos = nowNanos;
      this.endNanos = nowNanos + pauseNanos;
    }
  }

  /**
   * @param answerMax how long the one message that is let through may have no answer
   */
  Rests(Duration answerMax) {
    this.answerMax = answerMax;
  }

  /** Why a message must not go to a broker now; null if it may, which only one may at a time. */
  @Nullable String turnsAway(String broker, long nowNanos) {
    Rest rest = ofBrokers.isEmpty() ? null : ofBrokers.get(broker);
    if (rest == null) {
      return null;
    }
    if (nowNanos - rest.endNanos < 0) {
      return rest.reason;
    }
    rest.endNanos = nowNanos + rest.pauseNanos + answerMax.toNanos();
    return null;
  }

  /** A broker has a request, perhaps, and does not say that it keeps it. */
  void unsure(Batch batch, String reason, long nowNanos) {
    String broker = batch.lane().queue.getBrokerName();
    Rest before = ofBrokers.get(broker);
    if (before == null) {
      ofBrokers.put(broker, new Rest(reason, FIRST.toNanos(), nowNanos));
    } else if (isSince(before, batch)) {
      long pause = Math.min(FACTOR * before.pauseNanos, MAX.toNanos());
      ofBrokers.put(broker, new Rest(reason, pause, nowNanos));
    }
  }

  /** A broker could not be asked: it is asked again after the same pause. */
  void unasked(Batch batch, long nowNanos) {
    Rest rest = ofBrokers.get(batch.lane().queue.getBrokerName());
    if (rest != null && isSince(rest, batch)) {
      rest.endNanos = nowNanos + rest.pauseNanos;
    }
  }

  /** A broker answered that it keeps a request, or that it does not have it. */
  void sure(Batch batch) {
    String broker = batch.lane().queue.getBrokerName();
    Rest rest = ofBrokers.isEmpty() ? null : ofBrokers.get(broker);
    if (rest != null && isSince(rest, batch)) {
      ofBrokers.remove(broker);
    }
  }

  /** The answer to what was under way at the beginning says nothing new. */
  private static boolean isSince(Rest rest, Batch batch) {
    return batch.sentNanos() - rest.begunNanos > 0;
  }
}
