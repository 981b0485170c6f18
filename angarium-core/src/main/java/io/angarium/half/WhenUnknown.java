package io.angarium.half;

/** What becomes of a decision for a half message that nobody has prepared. */
public enum WhenUnknown {
  /** It is refused as {@link Refusal#UNKNOWN}. Right where calls of one key come in their order. */
  REFUSE,
  /**
   * The decision is remembered, and applied to the message when it is prepared. For channels on
   * which a decision may overtake its message. A caller that mistakes the key decides another
   * message beforehand.
   */
  REMEMBER
}
