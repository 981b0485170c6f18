package io.angarium.alert;

import io.angarium.internal.OneLine;
import java.util.regex.Pattern;

/**
 * What an alert is about; there is one alert for each. Immutable.
 *
 * @param rule which rule found it, 1..{@link #RULE_LENGTH_MAX} lower-case letters, digits and
 *     hyphens
 * @param subject what it found it of, such as a destination or a node, 1..{@link
 *     #SUBJECT_LENGTH_MAX} characters; "outbox" for the whole of it
 */
public record AlertKey(String rule, String subject) {
  /** The longest name of a rule. */
  public static final int RULE_LENGTH_MAX = 64;

  /** The longest subject. */
  public static final int SUBJECT_LENGTH_MAX = 300;

  /** The subject of a finding about the whole outbox. */
  public static final String OUTBOX = "outbox";

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9][a-z0-9-]{0," + (RULE_LENGTH_MAX - 1) + "}");

  /**
   * Returns whether a text is a name of a rule or a channel: 1..{@link #RULE_LENGTH_MAX} lower-case
   * letters, digits and hyphens, no hyphen at its beginning.
   */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if one is not as described
   */
  public AlertKey {
    if (!isName(rule)) {
      throw new IllegalArgumentException(
          "rule: '%s' (expected: 1..%d lower-case letters, digits and hyphens, e.g. dead-letters)"
              .formatted(OneLine.of(rule), RULE_LENGTH_MAX));
    }
    if (subject.isEmpty() || subject.length() > SUBJECT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "subject of the rule %s: %d characters (expected: 1..%d)"
              .formatted(rule, subject.length(), SUBJECT_LENGTH_MAX));
    }
  }
}
