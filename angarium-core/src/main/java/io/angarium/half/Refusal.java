package io.angarium.half;

/** Why a step of a half message is refused. */
public enum Refusal {
  /** No half message has this key: it was never prepared, or was forgotten since. */
  UNKNOWN("no half message has this key; prepare it first"),
  /** It was committed, and stays so. */
  ALREADY_COMMITTED("it was committed before, which is final"),
  /** It was rolled back, and stays so. */
  ALREADY_ROLLED_BACK("it was rolled back before, which is final; use a new key for a new attempt");

  private final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  /** The reason, and what to do, for people. */
  String reason() {
    return reason;
  }
}
