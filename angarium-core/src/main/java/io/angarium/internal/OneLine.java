package io.angarium.internal;

import java.util.regex.Pattern;

/** Makes text of users fit for a line of a log. For Angarium's modules. Thread-safe. */
public final class OneLine {
  /** What could end a line, or change what a terminal shows. */
  private static final Pattern NOT_IN_A_LINE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private OneLine() {}

  /** The text, with question marks for what is no character of a line. */
  public static String of(String text) {
    return NOT_IN_A_LINE.matcher(text).replaceAll("?");
  }
}
