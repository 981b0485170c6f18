package io.angarium.handler;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler for a message that it will never process, however often it comes. The
 * transaction is rolled back and the message becomes a dead letter at once. Must be thrown itself,
 * not as the cause of another exception.
 */
public final class RefusedByHandlerException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param reason for a person, kept with the dead letter: what is wrong, and what to do before a
   *     requeue
   */
  public RefusedByHandlerException(String reason) {
    this(reason, null);
  }

  /**
   * Creates an exception that keeps its cause, if there is one.
   *
   * @param reason for a person, kept with the dead letter: what is wrong, and what to do before a
   *     requeue
   */
  public RefusedByHandlerException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
  }
}
