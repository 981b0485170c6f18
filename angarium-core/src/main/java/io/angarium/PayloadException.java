package io.angarium;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a payload object cannot be turned into bytes, bytes cannot be turned into an object,
 * or the type of either is not registered. A consumer that meets it should set the message aside:
 * reading it again gives the same result.
 */
public final class PayloadException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the type and says what to do. */
  public PayloadException(String message) {
    super(message);
  }

  /** Creates an exception that keeps its cause, if there is one. */
  public PayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
