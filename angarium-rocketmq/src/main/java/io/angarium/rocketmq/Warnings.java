package io.angarium.rocketmq;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.rocketmq.QueueLane.Batch;
import java.time.Duration;
import org.apache.rocketmq.client.producer.SendStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person should hear of, each kind seldom, as it may last. To be called without a lock.
 * Thread-safe.
 */
final class Warnings {
  /** Smaller messages take no time to speak of. */
  private static final int LARGE_BYTES = 1 << 16;

  private static final Duration AGAIN_AFTER = Duration.ofMinutes(10);
  private static final Logger LOG = LoggerFactory.getLogger(Warnings.class);

  private final RocketConfig config;
  private final TimeSource time;
  private final Last unanswered = new Last();
  private final Last lessSafe = new Last();

  /** When it was last told. */
  private static final class Last {
    private boolean told;
    private long nanos;

    synchronized boolean isLongAgo(long nowNanos) {
      if (told && nowNanos - nanos < AGAIN_AFTER.toNanos()) {
        return false;
      }
      told = true;
      nanos = nowNanos;
      return true;
    }
  }

  Warnings(RocketConfig config, TimeSource time) {
    this.config = config;
    this.time = time;
  }

  /**
   * A request had no answer in time. A message that takes longer to write than an answer may take
   * is never sent, and others wait behind it.
   */
  void unanswered(Batch batch) {
    RocketAttempt first = batch.attempts().get(0);
    if (batch.attempts().size() == 1
        && first.bytes >= LARGE_BYTES
        && unanswered.isLongAgo(time.nanoTime())) {
      LOG.warn(
          "Message {} of {} bytes had no answer from broker {} within {} and is sent again. If smaller ones are answered, the way there is too slow for it: raise send-timeout",
          first.message,
          first.bytes,
          batch.lane().queue.getBrokerName(),
          DurationText.of(config.sendTimeout()));
    }
  }

  /** Messages count as sent that a broker has not stored as it should. */
  void lessSafe(Batch batch, SendStatus status) {
    if (lessSafe.isLongAgo(time.nanoTime())) {
      LOG.warn(
          "Broker {} stores messages of topic {} less safely than it is set up to ({}): its disk or its replicas are behind or away. They count as sent, as acknowledge says",
          batch.lane().queue.getBrokerName(),
          batch.lane().queue.getTopic(),
          status);
    }
  }
}
