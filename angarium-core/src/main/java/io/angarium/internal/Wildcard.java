package io.angarium.internal;

import java.util.List;

/**
 * A text in which {@code *} stands for any characters, also none, and everything else for itself;
 * there is no way to mean a star. Takes time in proportion to the lengths of both texts, whatever
 * they are: each piece between stars is looked for once, from where the one before ended.
 * Immutable.
 */
public final class Wildcard {
  private final String text;
  private final List<String> pieces;

  private Wildcard(String text) {
    this.text = text;
    this.pieces = List.of(text.split("\\*", -1));
  }

  /** Takes a text; without a star only that text itself fits. */
  public static Wildcard of(String text) {
    return new Wildcard(text);
  }

  /** Whether a text fits, from its first character to its last. Case counts. */
  public boolean fits(String other) {
    String first = pieces.get(0);
    if (pieces.size() == 1) {
      return other.equals(first);
    }
    String last = pieces.get(pieces.size() - 1);
    int end = other.length() - last.length();
    if (end < first.length() || !other.startsWith(first) || !other.endsWith(last)) {
      return false;
    }
    int from = first.length();
    for (String piece : pieces.subList(1, pieces.size() - 1)) {
      int at = other.indexOf(piece, from);
      if (at < 0 || at + piece.length() > end) {
        return false;
      }
      from = at + piece.length();
    }
    return true;
  }

  /** The text that was given. */
  @Override
  public String toString() {
    return text;
  }
}
