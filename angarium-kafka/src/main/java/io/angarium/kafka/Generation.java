package io.angarium.kafka;

import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Kafka producer from its creation to its first failure. A failure ends it, because after one
 * the Kafka client goes on with the later batches of the partition: from the callback of the first
 * record that was neither stored nor refused the producer is closed, before it sends anything more,
 * and everything under way gets a result. Only then does the lane start the next one.
 *
 * <p>{@link #send}, {@link #hurry}, {@link #settled}, {@link #oldestNanos} and {@link
 * #endFromOutside} are guarded by the transport's lock; the rest is thread-safe.
 */
final class Generation {
  private static final Logger LOG = LoggerFactory.getLogger(Generation.class);
  private static final Duration CLOSE_PAUSE = Duration.ofSeconds(1);

  private final ProducerLine lane;
  private final Producer<byte[], byte[]> producer;
  private final Deque<KafkaAttempt> underWay = new ArrayDeque<>();
  private final AtomicReference<@Nullable String> end = new AtomicReference<>();
  private final Flusher flusher;
  private volatile @Nullable Thread closer;

  /** True if the producer may be waiting for more; guarded by the transport's lock. */
  private boolean gathering;

  Generation(ProducerLine lane, Producer<byte[], byte[]> producer) {
    this.lane = lane;
    this.producer = producer;
    this.flusher = new Flusher(producer, lane.clientId() + "-flush");
  }

  /** Why it ended, or null while it works. */
  @Nullable String endReason() {
    return end.get();
  }

  /**
   * Gives a message to the producer, without blocking.
   *
   * @return why the producer did not take it, or null if it did
   */
  @Nullable Exception send(KafkaAttempt attempt, long nowNanos) {
    prune();
    underWay.addLast(attempt);
    attempt.appending(this, nowNanos);
    lane.sent(attempt);
    Exception error;
    try {
      // The callback tells all that the future could.
      Future<?> unused =
          producer.send(RecordEncoding.record(attempt.message(), lane.timeOf(attempt)), attempt);
      error = attempt.appended();
    } catch (RuntimeException e) {
      attempt.notAppended();
      error = afterThrown(e);
    }
    if (error != null) {
      underWay.pollLast();
      lane.done(attempt);
    }
    if (error == null) {
      gathering = true;
      attempt.topic().taken(nowNanos);
    }
    return error;
  }

  /** Lets the producer wait for no more. */
  void hurry() {
    if (gathering && end.get() == null) {
      gathering = false;
      flusher.flush();
    }
  }

  /** What the client throws, rather than tells the callback, says that it is of no more use. */
  private Exception afterThrown(RuntimeException thrown) {
    String earlier = end.get();
    if (earlier != null) {
      return new DisconnectException(lane.aborted(earlier));
    }
    if (!(thrown instanceof InterruptException)) {
      endFromOutside("the Kafka client failed: " + thrown.getMessage());
    }
    return thrown;
  }

  /** The producer gave up on a record; called on its own thread. */
  void failed(KafkaAttempt attempt, Exception error) {
    String earlier = end.get();
    if (earlier != null && error.getClass() == KafkaException.class) {
      lane.failed(attempt, new Unavailable(lane.aborted(earlier), error));
      return;
    }
    SendResult result = lane.diagnosis().of(attempt.message(), error);
    if (result instanceof Refused refused) {
      if (KafkaDiagnosis.endsProducer(error)) {
        endFromCallback(refused.reason());
      }
      lane.refused(attempt, refused, error);
      return;
    }
    if (KafkaDiagnosis.refusesTime(error) && lane.timeRefused(attempt)) {
      result = new Failed(reason(result), error); // waiting alone would hold its key up for good
    }
    attempt.topic().troubled = true;
    endFromCallback(reason(result));
    lane.failed(attempt, result);
  }

  private static String reason(SendResult result) {
    if (result instanceof Unavailable unavailable) {
      return unavailable.reason();
    }
    return result instanceof Failed failed ? failed.reason() : "";
  }

  /** The attempt has its result; any thread. */
  void decided(KafkaAttempt attempt, SendResult result) {
    lane.done(attempt);
    KafkaTopic topic = attempt.topic();
    if (topic.troubled && result instanceof SendResult.Acknowledged && end.get() == null) {
      topic.troubled = false;
    }
  }

  /** Closes on the producer's own thread: it returns to a loop that sends nothing more. */
  private void endFromCallback(String reason) {
    if (end(reason)) {
      closeNow();
      lane.ended(reason);
    }
  }

  /** Closes from any other thread; the join with the producer's thread is left to a helper. */
  void endFromOutside(String reason) {
    boolean first = end(reason);
    if (closer == null) {
      Thread thread = new Thread(this::closeNow, lane.clientId() + "-closer");
      thread.setDaemon(true);
      closer = thread;
      thread.start();
    }
    if (first) {
      lane.ended(reason);
    }
  }

  private boolean end(String reason) {
    if (end.get() != null) {
      return false;
    }
    lane.ending();
    if (end.compareAndSet(null, reason)) {
      flusher.close();
      return true;
    }
    lane.notEnding();
    return false;
  }

  private void closeNow() {
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      LOG.debug("Closing the Kafka producer {} failed", lane.clientId(), e);
    }
  }

  /** Sends what is buffered, if that takes no longer than a second, and closes. */
  void close() {
    flusher.close();
    try {
      producer.close(CLOSE_PAUSE);
    } catch (KafkaException e) {
      LOG.debug("Closing the Kafka producer {} failed", lane.clientId(), e);
    }
  }

  /** True if all results are in and the producer's thread cannot send any more. */
  boolean settled() {
    Thread closing = closer;
    prune();
    return underWay.isEmpty() && (closing == null || !closing.isAlive());
  }

  /** When the oldest message without a result was handed over, or null if there is none. */
  @Nullable Long oldestNanos() {
    prune();
    KafkaAttempt oldest = underWay.peekFirst();
    return oldest == null ? null : oldest.sinceNanos();
  }

  /** Gives all that have no result one, for the case that the producer's thread does not. */
  void decideAll(SendResult result, DeferredResults<KafkaAttempt> outcomes) {
    for (KafkaAttempt attempt : underWay) {
      if (!attempt.isDecided()) {
        outcomes.add(attempt, result);
      }
    }
  }

  private void prune() {
    KafkaAttempt oldest = underWay.peekFirst();
    while (oldest != null && oldest.isDelivered()) {
      underWay.pollFirst();
      oldest = underWay.peekFirst();
    }
  }
}
