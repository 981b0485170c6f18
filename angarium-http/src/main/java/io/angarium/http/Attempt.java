package io.angarium.http;

import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One message on its way to one result. Thread-safe: the first result counts. */
final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private final StoredMessage message;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final long heldNanos;
  private final AtomicBoolean decided = new AtomicBoolean();
  private volatile Duration signedAhead = Duration.ZERO;
  private volatile int headersBytes;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param heldNanos when it was handed over
   */
  Attempt(StoredMessage message, BiConsumer<StoredMessage, SendResult> results, long heldNanos) {
    this.message = message;
    this.results = results;
    this.heldNanos = heldNanos;
  }

  StoredMessage message() {
    return message;
  }

  String address() {
    return message.message().destination().address();
  }

  long heldNanos() {
    return heldNanos;
  }

  /** How far ahead of this host's the clock is that its signature is of. */
  Duration signedAhead() {
    return signedAhead;
  }

  void signedAhead(Duration ahead) {
    signedAhead = ahead;
  }

  /** The size of the request's headers in bytes, not counting connection headers. */
  int headersBytes() {
    return headersBytes;
  }

  void headersBytes(int bytes) {
    headersBytes = bytes;
  }

  /** Ends its request; false if that was over already. */
  boolean end() {
    return over.compareAndSet(false, true);
  }

  /** Gives the result to whoever handed the message over, unless it has one already. */
  void decide(SendResult result) {
    if (!decided.compareAndSet(false, true)) {
      return;
    }
    try {
      results.accept(message, result);
    } catch (RuntimeException e) { // breaks its contract, but must not stop a thread of the client
      LOG.error("The receiver of results failed on message {}.", message, e);
    }
  }
}
