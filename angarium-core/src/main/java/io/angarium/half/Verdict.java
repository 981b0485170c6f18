package io.angarium.half;

/** What is known about a business transaction when somebody asks for it. */
public enum Verdict {
  /** It has committed: the half message is to be delivered. Final. */
  COMMITTED,
  /** It has not committed and never will: the half message is to be dropped. Final. */
  ROLLED_BACK,
  /** It is open at this moment; ask again. */
  IN_FLIGHT,
  /**
   * The party that should know the outcome has no answer. Ask again; after a number of such answers
   * a person must decide. A local transaction with a marker never answers so.
   */
  UNKNOWN,
  /** The party that knows the outcome cannot be asked now; ask again, for as long as it takes. */
  UNREACHABLE;

  /** True if it never changes again. */
  public boolean isFinal() {
    return this == COMMITTED || this == ROLLED_BACK;
  }
}
