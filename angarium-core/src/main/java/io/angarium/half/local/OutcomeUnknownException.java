package io.angarium.half.local;

import io.angarium.OutboxException;
import io.angarium.half.Marker;

/**
 * Thrown when the commit of a local transaction failed, so that whether it took effect is unknown;
 * {@link LocalTransactions#check} tells it later.
 */
public final class OutcomeUnknownException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that keeps its cause. */
  public OutcomeUnknownException(Marker marker, Throwable cause) {
    super(
        "Committing local transaction "
            + marker
            + " failed ("
            + cause.getMessage()
            + "); whether it took effect is unknown, and the check-back will find out",
        cause);
  }
}
