package io.angarium.half;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/** Thrown when a half message could not be stored; its local transaction was not begun. */
public final class HalfMessageException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause, if there is one. */
  public HalfMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
