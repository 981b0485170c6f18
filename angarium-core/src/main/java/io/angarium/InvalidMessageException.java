package io.angarium;

/** Thrown when a message breaks a limit or a required part is missing; nothing was written. */
public final class InvalidMessageException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that says what to do. */
  public InvalidMessageException(String message) {
    super(message);
  }
}
