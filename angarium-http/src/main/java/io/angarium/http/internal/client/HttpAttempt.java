package io.angarium.http.internal.client;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.ResultReceiver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** One message on its way to one result. Thread-safe: the first result counts. */
public final class HttpAttempt {

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
  public HttpAttempt(
      StoredMessage message, BiConsumer<StoredMessage, SendResult> results, long heldNanos) {
    this.message = message;
    this.results = results;
    this.heldNanos = heldNanos;
  }

  public StoredMessage message() {
    return message;
  }

  public String address() {
    return message.message().destination().address();
  }

  public long heldNanos() {
    return heldNanos;
  }

  /** How far ahead of this host's the clock is that its signature is of. */
  public Duration signedAhead() {
    return signedAhead;
  }

  public void signedAhead(Duration ahead) {
    signedAhead = ahead;
  }

  /** The size of the request's headers in bytes, not counting connection headers. */
  public int headersBytes() {
    return headersBytes;
  }

  public void headersBytes(int bytes) {
    headersBytes = bytes;
  }

  /** Ends its request; false if that was over already. */
  public boolean end() {
    return over.compareAndSet(false, true);
  }

  /**
   * Reports the result to the caller that handed the message over, unless the message already has
   * one.
   */
  public void decide(SendResult result) {
    if (!decided.compareAndSet(false, true)) {
      return;
    }
    ResultReceiver.give(message, result, results);
  }
}
