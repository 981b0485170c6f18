package io.angarium.half.internal.remote;

import java.util.regex.Pattern;

/** What a stranger sent, made fit for a line of text: short, without control characters. */
public final class PrintableExcerpt {
  /** Longer texts are cut, and end with three dots more. */
  public static final int LENGTH_MAX = 200;

  private static final Pattern UNFIT = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\s]+");

  private PrintableExcerpt() {}

  /** The beginning of a text, in one line. */
  public static String of(String text) {
    String start = text.length() > 4 * LENGTH_MAX ? text.substring(0, 4 * LENGTH_MAX) : text;
    String line = UNFIT.matcher(start).replaceAll(" ").strip();
    return line.length() > LENGTH_MAX ? line.substring(0, LENGTH_MAX) + "..." : line;
  }
}
