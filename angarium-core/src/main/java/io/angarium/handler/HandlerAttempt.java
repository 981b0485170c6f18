package io.angarium.handler;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.ResultReceiver;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One message on its way to one result. Thread-safe: the first result counts. */
final class HandlerAttempt {

  private final StoredMessage message;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final long heldNanos;
  private final Consumer<HandlerAttempt> whenDecided;
  private final AtomicBoolean decided = new AtomicBoolean();

  /**
   * @param heldNanos when it was handed over
   * @param whenDecided told once, after the result was given
   */
  HandlerAttempt(
      StoredMessage message,
      BiConsumer<StoredMessage, SendResult> results,
      long heldNanos,
      Consumer<HandlerAttempt> whenDecided) {
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
   * Passes the result to the caller that handed the message over, unless it has one already.
   *
   * @return false if it has
   */
  boolean decide(SendResult result) {
    if (!decided.compareAndSet(false, true)) {
      return false;
    }
    try {
      ResultReceiver.give(message, result, results);
    } finally {
      whenDecided.accept(this);
    }
    return true;
  }
}
