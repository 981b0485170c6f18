package io.angarium.half;

/** What becomes of a decision for a half message that nobody has prepared. */
public enum WhenUnknown {
  /** It is refused as {@link Refusal#UNKNOWN}. Right where calls of one key come in their order. */
  REFUSE,
  /**
   * It is remembered, and taken by the message when it is prepared. For ways on which a decision
   * may overtake its message: whoever mistakes the key decides another message beforehand.
   */
  REMEMBER
}
