package io.angarium.deadletter;

import io.angarium.internal.UnicodeText;

/**
 * Who decides about messages, and why. Both are written to the log. Immutable.
 *
 * @param by the person or program, 1..{@link #BY_LENGTH_MAX} characters
 * @param reason 1..{@link #REASON_LENGTH_MAX} characters
 */
public record Decision(String by, String reason) {
  /** The most characters that name who decides. */
  public static final int BY_LENGTH_MAX = 128;

  /** The most characters of a reason. */
  public static final int REASON_LENGTH_MAX = 1_000;

  /**
   * Checks both texts.
   *
   * @throws IllegalArgumentException if one is blank, too long, or has line breaks or control
   *     characters
   */
  public Decision {
    require("by", by, BY_LENGTH_MAX);
    require("reason", reason, REASON_LENGTH_MAX);
  }

  private static void require(String name, String value, int lengthMax) {
    if (value.isBlank()
        || value.length() > lengthMax
        || !LogText.isOneLine(value)
        || UnicodeText.brokenAt(value) >= 0) {
      throw new IllegalArgumentException(
          "%s: %d characters (expected: 1..%d, not blank, without line breaks, control characters and halves of surrogate pairs)"
              .formatted(name, value.length(), lengthMax));
    }
  }
}
