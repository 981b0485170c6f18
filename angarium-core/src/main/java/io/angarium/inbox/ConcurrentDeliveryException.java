package io.angarium.inbox;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when another delivery of the same message is being processed, here or elsewhere. It may
 * still fail, so the message must not be acknowledged: have it delivered again.
 */
public final class ConcurrentDeliveryException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param what the message or messages, for a person
   * @param cause what the database said; null if it is not known
   */
  public ConcurrentDeliveryException(String what, @Nullable Throwable cause) {
    super(
        "Not processed: another delivery of "
            + what
            + " is being processed; have it delivered again",
        cause);
  }
}
