package io.angarium.server.start;

import java.util.Locale;
import java.util.regex.Pattern;

/** Text that came from outside, made fit for one line of the log. */
public final class CleanText {
  /** Longer texts are cut. */
  public static final int LENGTH_MAX = 8_192;

  /**
   * Up to the last @ of the word: a password may hold every character of an address. Rather a path
   * with an @ is hidden than half of a password shown.
   */
  private static final Pattern USER_INFO = Pattern.compile("(//[^/?#\\s'\":]{0,500}):\\S{1,500}@");

  /** Also as a part of a name, as {@code trustStorePassword}. */
  private static final Pattern PASSWORD =
      Pattern.compile(
          "(?i)((?:password|passwd|pwd|secret)\\d?['\"]?)(\\s?[=:]\\s?)"
              + "(?:'[^'\\n]{0,500}'|\"[^\"\\n]{0,500}\")?[^\\s&;]{0,500}");

  private CleanText() {}

  /**
   * The text in one line, with what no line shows as escapes: line ends, control characters,
   * characters that turn the direction, and halves of surrogate pairs. Without {@link
   * #withoutSecrets passwords}, and no longer than a line may be.
   */
  static String line(String text) {
    String shown = withoutSecrets(text);
    int end = Math.min(shown.length(), LENGTH_MAX);
    StringBuilder line = new StringBuilder(end + 16);
    int next;
    for (int at = 0; at < end; at = next) {
      int character = shown.codePointAt(at);
      next = at + Character.charCount(character);
      append(line, character);
    }
    if (end < shown.length()) {
      line.append("... (").append(shown.length()).append(" characters)");
    }
    return line.toString();
  }

  private static void append(StringBuilder line, int character) {
    switch (character) {
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> {
        if (isShown(character)) {
          line.appendCodePoint(character);
        } else {
          line.append(String.format(Locale.ROOT, "\\u%04x", character));
        }
      }
    }
  }

  private static boolean isShown(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  /** The text with stars for passwords in addresses and parameters, as drivers repeat them. */
  public static String withoutSecrets(String text) {
    String shown = text;
    if (shown.contains("@")) {
      shown = USER_INFO.matcher(shown).replaceAll("$1:***@");
    }
    return PASSWORD.matcher(shown).replaceAll("$1$2***");
  }
}
