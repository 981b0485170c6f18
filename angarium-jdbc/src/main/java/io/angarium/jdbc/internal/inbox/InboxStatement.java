package io.angarium.jdbc.internal.inbox;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement that is all the work for a message. Immutable.
 *
 * @param text an INSERT, UPDATE or DELETE with {@value #FRESH} as a condition, once or more
 */
record InboxStatement(String text) {
  /** Stands for "the message was not processed before". */
  static final String FRESH = ":fresh";

  private static final Pattern KIND = Pattern.compile("(?s)(INSERT|UPDATE|DELETE)\\b.*");
  private static final Pattern CONDITION = Pattern.compile("(?<![:\\w]):fresh\\b");

  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException if it is another kind of statement, or lacks the condition
   */
  InboxStatement {
    String begin = text.stripLeading().toUpperCase(Locale.ROOT);
    if (!KIND.matcher(begin).matches()) {
      throw new IllegalArgumentException(
          "statement: '" + text + "' (expected: an INSERT, UPDATE or DELETE)");
    }
    if (text.stripTrailing().endsWith(";")) {
      throw new IllegalArgumentException(
          "statement: '" + text + "' (expected: without a semicolon at its end)");
    }
    if (!CONDITION.matcher(text).find()) {
      throw new IllegalArgumentException(
          "statement: '"
              + text
              + "' (expected: "
              + FRESH
              + " as a condition, e.g. UPDATE stock SET amount = amount - ? WHERE item = ? AND "
              + FRESH
              + ")");
    }
  }

  /** The text with something in the place of the condition. */
  String where(String condition) {
    return CONDITION.matcher(text).replaceAll(Matcher.quoteReplacement(condition));
  }
}
