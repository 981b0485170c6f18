package io.angarium.benchmarks.arm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message and waits for the broker's answer: for libraries that call a handler and settle
 * the message when the handler returns. Thread-safe.
 */
public final class WaitingSender implements AutoCloseable {
  /** As Kafka's client comes. */
  private static final int LINGER_MILLIS = 5;

  private final KafkaSender sender;

  /** Tuned, a batch does not wait for more: whoever waits for the answer sends no more. */
  public WaitingSender(ArmSettings settings) {
    int lingerMillis = settings.variant() == Variant.TUNED ? 0 : LINGER_MILLIS;
    this.sender = new KafkaSender(settings, lingerMillis);
  }

  /**
   * Returns once the broker has acknowledged the message.
   *
   * @throws IllegalStateException if it was not sent, or nobody waits any longer
   */
  public void send(@Nullable String key, byte[] payload) {
    CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
    sender.send(
        key,
        payload,
        failure -> {
          if (failure == null) {
            answer.complete(null);
          } else {
            answer.completeExceptionally(failure);
          }
        });
    try {
      answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Messages acknowledged so far. */
  public long acknowledged() {
    return sender.acknowledged();
  }

  @Override
  public void close() {
    sender.close();
  }
}
