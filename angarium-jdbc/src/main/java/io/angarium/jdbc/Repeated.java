package io.angarium.jdbc;

import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes out the part of a statement that stands once per row: {@code {part|separator}}. */
final class Repeated {
  private static final Pattern GROUP = Pattern.compile("\\{([^|{}]*)\\|([^|{}]*)}");

  private Repeated() {}

  /** The text with each group written {@code times} times; at least 1. */
  static String times(String text, int times) {
    Matcher groups = GROUP.matcher(text);
    return groups.replaceAll(
        group ->
            Matcher.quoteReplacement(
                String.join(group.group(2), Collections.nCopies(times, group.group(1)))));
  }
}
