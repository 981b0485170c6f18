package io.angarium.store.lease;

import io.angarium.OutboxException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a live node of the same name exists; choose another name or wait for its lease to
 * end.
 */
public final class NodeIdInUseException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause, if there is one. */
  public NodeIdInUseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
