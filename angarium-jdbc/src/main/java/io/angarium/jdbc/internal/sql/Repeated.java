package io.angarium.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes out the part of a statement that stands once per row: {@code {part|separator}}. */
public final class Repeated {
  private static final Pattern GROUP = Pattern.compile("\\{([^|{}]*)\\|([^|{}]*)}");

  private Repeated() {}

  /** The next power of two of values, the last one repeated, so that there are few texts. */
  public static List<@Nullable Object> padded(Collection<?> values) {
    List<@Nullable Object> padded = new ArrayList<>(values);
    int size = Integer.highestOneBit(Math.max(1, padded.size() * 2 - 1));
    Object last = padded.isEmpty() ? null : padded.get(padded.size() - 1);
    while (padded.size() < size) {
      padded.add(last);
    }
    return padded;
  }

  /** The text with each group written {@code times} times; at least 1. */
  public static String times(String text, int times) {
    Matcher groups = GROUP.matcher(text);
    return groups.replaceAll(
        group ->
            Matcher.quoteReplacement(
                String.join(group.group(2), Collections.nCopies(times, group.group(1)))));
  }
}
