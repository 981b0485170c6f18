package io.angarium.internal;

/** Text in whole characters, which is all that UTF-8 can carry. */
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

  /**
   * The beginning of a text, never with half of a surrogate pair at its end.
   *
   * @param lengthMax in characters, at least 1
   * @return the text itself if it is no longer
   */
  public static String cut(String text, int lengthMax) {
    if (text.length() <= lengthMax) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
    return text.substring(0, end);
  }
}
