package io.angarium.kafka;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line of producers, one {@link Generation} after the other. There are two lanes: one for all
 * topics, and one for those that are in trouble, so that their failures do not end the producer of
 * the others. Guarded by the transport's lock, except for what says otherwise.
 */
final class ProducerLine {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerLine.class);
  private static final Duration START_PAUSE = Duration.ofMillis(500);

  /** After so many looks that found no broker a producer looks itself: the looks may be wrong. */
  private static final int PUT_OFF_MAX = 120;

  private static final Duration QUIET = Duration.ofMinutes(1);

  private final String clientId;
  private final boolean forTroubled;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final Surroundings around;
  private final ProducerSilence silence;
  private @Nullable Generation generation;
  private @Nullable Exception startFault;
  private long startNanos;
  private int putOff;
  private volatile long startedNanos;

  /** What both lanes share. */
  record Surroundings(
      KafkaDiagnosis diagnosis,
      KeyGuard guard,
      TopicLimits limits,
      Duration deliveryTimeout,
      Duration holdMax,
      TimeSource time,
      Runnable hurry) {}

  /**
   * @param producers creates a producer; called without the lock
   */
  ProducerLine(
      String clientId,
      boolean forTroubled,
      Supplier<Producer<byte[], byte[]>> producers,
      Surroundings around,
      long nowNanos) {
    this.clientId = clientId;
    this.forTroubled = forTroubled;
    this.producers = producers;
    this.around = around;
    this.silence = new ProducerSilence(around.holdMax());
    this.startNanos = nowNanos;
  }

  /** The name of its producers; any thread. */
  String clientId() {
    return clientId;
  }

  /** Any thread. */
  KafkaDiagnosis diagnosis() {
    return around.diagnosis();
  }

  /** False while its brokers are silent and there is no use in offering it a message. */
  boolean mayAsk(long nowNanos) {
    return silence.mayAsk(nowNanos);
  }

  /**
   * Gives a message to the producer or its result to {@code outcomes}.
   *
   * @return false if it must be held back and tried again
   */
  boolean take(KafkaAttempt attempt, long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    boolean taken = give(attempt, nowNanos, outcomes);
    silence.asked(!taken && KafkaDiagnosis.isSilence(attempt.topic().heldBecause), nowNanos);
    return taken;
  }

  private boolean give(
      KafkaAttempt attempt, long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    attempt.topic().heldBecause = null;
    Generation current = generation;
    if (current == null) {
      attempt.topic().heldBecause = startFault;
      return false;
    }
    String ended = current.endReason();
    if (ended != null) {
      outcomes.add(attempt, new Unavailable(aborted(ended), null));
      return true;
    }
    Exception error = current.send(attempt, nowNanos);
    if (error != null && KafkaDiagnosis.mayPass(error)) {
      attempt.topic().heldBecause = error;
      return false;
    }
    if (error != null) {
      outcomes.add(attempt, diagnosis().of(attempt.message(), error));
    }
    return true;
  }

  /** The timestamp of its record, by a clock whose times the topic has not refused. */
  Instant timeOf(KafkaAttempt attempt) {
    return attempt.ofDatabasesClock() ? attempt.message().createdAt() : around.time().instant();
  }

  /**
   * Notes that a topic refuses the time of a record. The next one has a time of the other clock.
   *
   * @return true if it refuses the times of both clocks
   */
  boolean timeRefused(KafkaAttempt attempt) {
    boolean both = attempt.ofDatabasesClock();
    attempt.topic().clock.refused(both, around.time().nanoTime());
    return both;
  }

  /** Has what was taken sent at once: its producer waits for no more. */
  void hurry() {
    if (generation != null) {
      generation.hurry();
    }
  }

  /** The longest that a message is without a result once a producer has it; any thread. */
  Duration resultMax() {
    return around.deliveryTimeout().plus(KafkaTransport.OVERDUE.multipliedBy(3));
  }

  // ---- called by generations, from any thread

  void sent(KafkaAttempt attempt) {
    if (forTroubled) {
      attempt.topic().underWay.incrementAndGet();
    }
  }

  void done(KafkaAttempt attempt) {
    if (forTroubled) {
      attempt.topic().underWay.decrementAndGet();
    }
  }

  void failed(KafkaAttempt attempt, SendResult result) {
    around.guard().failed(attempt);
    attempt.decide(result);
  }

  void refused(KafkaAttempt attempt, Refused result, Exception error) {
    if (error instanceof RecordTooLargeException) {
      around.limits().refuse(attempt, error);
    } else {
      attempt.decide(result);
    }
  }

  void ending() {
    around.guard().producerEnding();
  }

  void notEnding() {
    around.guard().producerEnded();
  }

  void ended(String reason) {
    if (around.time().nanoTime() - startedNanos > QUIET.toNanos()) {
      LOG.warn("Kafka producer {} is replaced by a new one: {}", clientId, reason);
    } else {
      LOG.debug("Kafka producer {} is replaced by a new one: {}", clientId, reason);
    }
    around.hurry().run();
  }

  String aborted(String reason) {
    return "the connection to Kafka is renewed, because " + reason;
  }

  // ---- upkeep

  /** True if the producer has ended and all its results are in: see {@link #renew}. */
  boolean needsRenewal() {
    Generation current = generation;
    return current != null && current.endReason() != null && current.settled();
  }

  boolean isEnding() {
    return generation != null && generation.endReason() != null;
  }

  /** Forgets the ended producer, so that the next can be started. */
  void renew() {
    generation = null;
    around.guard().producerEnded();
  }

  boolean needsProducer(long nowNanos) {
    return generation == null && nowNanos - startNanos >= 0;
  }

  /** Creates the next producer. Call without the lock: it asks the name service. */
  Producer<byte[], byte[]> create() {
    return producers.get();
  }

  void started(Producer<byte[], byte[]> producer, long nowNanos) {
    generation = new Generation(this, producer);
    silence.forget();
    startedNanos = nowNanos;
    startFault = null;
    putOff = 0;
  }

  /** True if the start of its producer has been put off too often. */
  boolean startsAnyway() {
    return putOff >= PUT_OFF_MAX;
  }

  /** No broker can be reached: a producer would only log that. */
  void startLater(long nowNanos) {
    putOff++;
    startNanos = nowNanos + START_PAUSE.toNanos();
  }

  void notStarted(RuntimeException fault, long nowNanos) {
    Throwable cause = fault.getCause() == null ? fault : fault.getCause();
    if (startFault == null) {
      String reason = cause.getMessage();
      LOG.warn("Kafka producer {} cannot be started, trying again: {}", clientId, reason);
    }
    startFault =
        new DisconnectException("the client cannot be started: " + cause.getMessage(), fault);
    startNanos = nowNanos + START_PAUSE.toNanos();
  }

  /** Steps in if the Kafka client keeps a message longer than it should. */
  void watch(long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    Generation current = generation;
    Long oldest = current == null ? null : current.oldestNanos();
    if (current == null || oldest == null) {
      return;
    }
    long overdue = nowNanos - oldest - around.deliveryTimeout().toNanos();
    String reason = "no result within " + DurationText.of(around.deliveryTimeout());
    if (overdue > KafkaTransport.OVERDUE.toNanos()) {
      current.endFromOutside(reason);
    }
    if (overdue > 2 * KafkaTransport.OVERDUE.toNanos()) {
      current.decideAll(new Unavailable("Kafka gave " + reason, null), outcomes);
    }
  }

  boolean isIdle() {
    return generation == null || generation.oldestNanos() == null;
  }

  /** The producer to be closed, or null; there is none afterwards. */
  @Nullable Generation remove() {
    Generation current = generation;
    generation = null;
    return current;
  }
}
