package io.angarium.half;

/** What is known about a local transaction when somebody asks for it. */
public enum Verdict {
  /** It has committed: the half message is to be delivered. Final. */
  COMMITTED,
  /** It has not committed and never will: the half message is to be dropped. Final. */
  ROLLED_BACK,
  /** It is open at this moment; ask again. */
  IN_FLIGHT,
  /** Its database cannot answer now; ask again. */
  UNREACHABLE;

  /** True if it never changes again. */
  public boolean isFinal() {
    return this == COMMITTED || this == ROLLED_BACK;
  }
}
