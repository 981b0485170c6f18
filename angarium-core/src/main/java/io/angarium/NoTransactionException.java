package io.angarium;

/** Thrown when a message is sent outside a transaction; nothing was written. */
public final class NoTransactionException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that says what to do. */
  public NoTransactionException(String message) {
    super(message);
  }
}
