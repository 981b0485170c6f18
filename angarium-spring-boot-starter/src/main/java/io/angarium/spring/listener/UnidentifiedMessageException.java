package io.angarium.spring.listener;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown to the container when a listener with {@link IdempotentConsumer} gets a message that
 * cannot be told from others; the listener was not called. It will be the same at the next
 * delivery: let the container put the message aside.
 */
public final class UnidentifiedMessageException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param cause why an expression could not be evaluated; null if what identifies it is absent
   */
  public UnidentifiedMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
