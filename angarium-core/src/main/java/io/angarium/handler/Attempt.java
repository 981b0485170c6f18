package io.angarium.handler;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way to one result. Thread-safe: the first result counts. */
final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private final StoredMessage message;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final long heldNanos;
  private final Consumer<Attempt> whenDecided;
  private final AtomicBoolean decided = new AtomicBoolean();

  /**
   * @param heldNanos when it was handed over
   * @param whenDecided told once, after the result was given
   */
  Attempt(
      StoredMessage message,
      BiConsumer<StoredMessage, SendResult> results,
      long heldNanos,
      Consumer<Attempt> whenDecided) {
    this.message = message;
    this.results = results;
    this.heldNanos = heldNanos;
    this.whenDecided = whenDecided;
  }

  StoredMessage message() {
    return message;
  }

  long heldNanos() {
    return heldNanos;
  }

  /**
   * Gives the result to whoever handed the message over, unless it has one already.
   *
   * @return false if it has
   */
  boolean decide(SendResult result) {
    if (!decided.compareAndSet(false, true)) {
      return false;
    }
    try {
      results.accept(message, result);
    } catch (RuntimeException e) { // breaks its contract, but must not stop a thread of a handler
      LOG.error("The receiver of results failed on message {}.", message, e);
    } finally {
      whenDecided.accept(this);
    }
    return true;
  }
}
