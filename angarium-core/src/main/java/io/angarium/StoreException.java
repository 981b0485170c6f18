package io.angarium;

import org.jspecify.annotations.Nullable;

/** Thrown when the database cannot be reached or refuses; the operation may be tried again. */
public class StoreException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause, if there is one. */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
