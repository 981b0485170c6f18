package io.angarium;

/**
 * Thrown when a transaction runs on another database than the one whose outbox is relayed: a
 * message written there would never be sent. Roll the transaction back.
 */
public final class WrongSourceException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that says what to do. */
  public WrongSourceException(String message) {
    super(message);
  }
}
