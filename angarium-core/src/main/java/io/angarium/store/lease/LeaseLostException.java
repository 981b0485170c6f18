package io.angarium.store.lease;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write that only a partition's owner may make came too late; nothing was written.
 */
public final class LeaseLostException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause, if there is one. */
  public LeaseLostException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
