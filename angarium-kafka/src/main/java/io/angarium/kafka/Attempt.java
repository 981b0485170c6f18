package io.angarium.kafka;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way to one result. Thread-safe: the first result counts. */
final class Attempt implements Callback {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
  private static final AtomicIntegerFieldUpdater<Attempt> STATE =
      AtomicIntegerFieldUpdater.newUpdater(Attempt.class, "state");
  private static final int OPEN = 0;
  private static final int DECIDED = 1;
  private static final int DELIVERED = 2;

  private final Object caller;
  private final StoredMessage message;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final Topic topic;
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
  Attempt(
      Object caller,
      StoredMessage message,
      BiConsumer<StoredMessage, SendResult> results,
      Topic topic,
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

  Topic topic() {
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

  /** Gives the result to whoever handed the message over, unless it has one already. */
  void decide(SendResult result) {
    if (!STATE.compareAndSet(this, OPEN, DECIDED)) {
      return;
    }
    Generation owner = generation;
    if (owner != null) {
      owner.decided(this, result);
    }
    try {
      results.accept(message, result);
    } catch (RuntimeException e) { // breaks its contract, but must not stop the producer's thread
      LOG.error("The receiver of results failed on message {}.", message, e);
    } finally {
      STATE.lazySet(this, DELIVERED); // nobody waits for it
    }
  }
}
