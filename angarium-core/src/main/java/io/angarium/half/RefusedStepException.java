package io.angarium.half;

import io.angarium.OutboxException;

/**
 * Thrown when a half message is in a state that a call cannot follow; the call changed nothing.
 * Only a prepare that comes after its remembered rollback takes it: the message is rolled back for
 * good.
 */
public final class RefusedStepException extends OutboxException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  /** Creates an exception. */
  public RefusedStepException(HalfKey key, Refusal refusal) {
    super("Half message " + key + ": " + refusal.reason() + " (" + refusal + ")");
    this.refusal = refusal;
  }

  /** Why, for programs. */
  public Refusal refusal() {
    return refusal;
  }
}
