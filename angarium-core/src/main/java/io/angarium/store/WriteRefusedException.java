package io.angarium.store;

import io.angarium.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the database was reached and refuses a statement for good: a privilege is missing, a
 * constraint or a trigger rejects the row, or a text does not fit its column. Nothing was written.
 * The same call fails again until a person changes the tables or the privileges.
 */
public final class WriteRefusedException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause, if there is one. */
  public WriteRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
