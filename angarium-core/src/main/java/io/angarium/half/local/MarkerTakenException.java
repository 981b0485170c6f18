package io.angarium.half.local;

import io.angarium.OutboxException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;

/**
 * Thrown when a local transaction finds its marker written already; the transaction is rolled back
 * and its work was not called.
 */
public final class MarkerTakenException extends OutboxException {
  private static final long serialVersionUID = 1L;

  private final Verdict verdict;

  /**
   * Creates an exception.
   *
   * @param verdict what the marker says, {@link Verdict#ROLLED_BACK} or {@link Verdict#COMMITTED}
   */
  public MarkerTakenException(Marker marker, Verdict verdict) {
    super("Local transaction " + marker + " was not run: " + reason(verdict));
    this.verdict = verdict;
  }

  private static String reason(Verdict verdict) {
    return verdict == Verdict.ROLLED_BACK
        ? "it was asked for before it began, and reported as rolled back; try again with a new"
            + " message"
        : "another one with this marker has committed; use a marker once";
  }

  /** What the marker says: {@link Verdict#ROLLED_BACK}, or {@link Verdict#COMMITTED}. */
  public Verdict verdict() {
    return verdict;
  }
}
