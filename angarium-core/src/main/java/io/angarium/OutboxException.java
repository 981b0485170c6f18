package io.angarium;

import org.jspecify.annotations.Nullable;

/** The root of all exceptions thrown by Angarium. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception without a cause. */
  public OutboxException(String message) {
    super(message);
  }

  /** Creates an exception that keeps its cause, if there is one. */
  public OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
