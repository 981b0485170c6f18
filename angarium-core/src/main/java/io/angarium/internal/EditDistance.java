package io.angarium.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * How many characters must be inserted, left out, replaced or swapped with the next one to turn a
 * text into another, to name what a misspelt one was meant to be. For Angarium's modules.
 * Thread-safe.
 */
public final class EditDistance {
  /** One edit is allowed for each of so many characters. */
  private static final int CHARACTERS_PER_EDIT = 4;

  private EditDistance() {}

  /**
   * The candidates with the smallest distance to a text; empty if all are too far away.
   *
   * @param form of a candidate in which it is compared
   * @param max largest distance; short texts allow less
   */
  public static List<String> nearest(
      String text, Collection<String> candidates, UnaryOperator<String> form, int max) {
    int allowed = Math.min(max, text.length() / CHARACTERS_PER_EDIT);
    List<String> nearest = new ArrayList<>();
    for (String candidate : candidates) {
      int edits = between(text, form.apply(candidate), allowed);
      if (edits < allowed) {
        nearest.clear();
        allowed = edits;
      }
      if (edits <= allowed) {
        nearest.add(candidate);
      }
    }
    return nearest;
  }

  /**
   * The distance between two texts.
   *
   * @param max larger distances need not be exact
   */
  private static int between(String from, String to, int max) {
    if (Math.abs(from.length() - to.length()) > max) {
      return max + 1;
    }
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : fewest(edits, from, i, to, j);
      }
    }
    return edits[from.length()][to.length()];
  }

  private static int fewest(int[][] edits, String from, int i, String to, int j) {
    int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int fewest =
        Math.min(Math.min(edits[i - 1][j], edits[i][j - 1]) + 1, edits[i - 1][j - 1] + replaced);
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
  }
}
