package io.angarium.kafka;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.ResultReceiver;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** One message on its way to one result. Thread-safe: the first result counts. */
final class KafkaAttempt implements Callback {
  private static final AtomicIntegerFieldUpdater<KafkaAttempt> STATE =
      AtomicIntegerFieldUpdater.newUpdater(KafkaAttempt.class, "state");
  private static final int OPEN = 0;
  private static final int DECIDED = 1;
  private static final int DELIVERED = 2;

  private final Object caller;
  private final StoredMessage message;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final KafkaTopic topic;
  private final long number;

  private volatile int state;
  private final long heldNanos;
  private long sinceNanos;
  private boolean ofDatabasesClock;
  private @Nullable Generation generation;
  private @Nullable Thread appending;
  private @Nullable Exception notAppended;

  /**
   * @param caller which view of the transport it was handed to
   * @param number rises with the order of handing over
   * @param sinceNanos when it was handed over
   */
  KafkaAttempt(
      Object caller,
      StoredMessage message,
      BiConsumer<StoredMessage, SendResult> results,
      KafkaTopic topic,
      long number,
      long sinceNanos) {
    this.caller = caller;
    this.message = message;
    this.results = results;
    this.topic = topic;
    this.number = number;
    this.heldNanos = sinceNanos;
    this.sinceNanos = sinceNanos;
  }

  Object caller() {
    return caller;
  }

  StoredMessage message() {
    return message;
  }

  KafkaTopic topic() {
    return topic;
  }

  long number() {
    return number;
  }

  /** When it was handed over to the transport. */
  long heldNanos() {
    return heldNanos;
  }

  /** When it was handed over to the producer. */
  long sinceNanos() {
    return sinceNanos;
  }

  boolean isDelivered() {
    return state == DELIVERED;
  }

  boolean isDecided() {
    return state != OPEN;
  }

  /** Notes that this thread is about to give it to the producer. */
  void appending(Generation generation, long nowNanos) {
    this.generation = generation;
    ofDatabasesClock = topic.clock.isDatabases(nowNanos);
    sinceNanos = nowNanos;
    notAppended = null;
    appending = Thread.currentThread();
  }

  /** Whether its timestamp is when it was written, by the database's clock, rather than now. */
  boolean ofDatabasesClock() {
    return ofDatabasesClock;
  }

  /** Ends {@link #appending}; gives the reason why the producer did not take it, or null. */
  @Nullable Exception appended() {
    appending = null;
    if (notAppended != null) {
      generation = null;
    }
    return notAppended;
  }

  /** Ends {@link #appending} when the producer threw. */
  void notAppended() {
    appending = null;
    generation = null;
  }

  /**
   * Called by the producer: on the thread that hands over if the record was not taken, else on the
   * producer's own.
   */
  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    Generation owner = generation;
    if (exception == null) {
      decide(SendResult.ACKNOWLEDGED);
    } else if (Thread.currentThread() == appending) {
      notAppended = exception;
    } else if (owner != null && !isDecided()) {
      owner.failed(this, exception);
    }
  }

  /**
   * Reports the result to the caller that handed the message over, unless the message already has
   * one.
   */
  void decide(SendResult result) {
    if (!STATE.compareAndSet(this, OPEN, DECIDED)) {
      return;
    }
    Generation owner = generation;
    if (owner != null) {
      owner.decided(this, result);
    }
    try {
      ResultReceiver.give(message, result, results);
    } finally {
      STATE.lazySet(this, DELIVERED); // nobody waits for it
    }
  }
}
