package io.angarium;

/** Thrown when a message demands a unique business type and key and that pair was used before. */
public final class DuplicateBusinessKeyException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that says what to do. */
  public DuplicateBusinessKeyException(String message) {
    super(message);
  }
}
