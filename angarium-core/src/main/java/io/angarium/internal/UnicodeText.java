package io.angarium.internal;

/** Tells whether text consists of whole characters, which is all that UTF-8 can carry. */
public final class UnicodeText {
  private UnicodeText() {}

  /**
   * The index of the first half of a surrogate pair that has no other half; -1 if there is none.
   */
  public static int brokenAt(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
