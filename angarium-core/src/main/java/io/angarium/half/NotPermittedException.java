package io.angarium.half;

import io.angarium.OutboxException;

/**
 * Thrown when a server of half messages does not know the caller, or does not let it make the call.
 * The call changed nothing; a repeat is refused as well until somebody changes a configuration.
 */
public final class NotPermittedException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that says what to do. */
  public NotPermittedException(String message) {
    super(message);
  }
}
