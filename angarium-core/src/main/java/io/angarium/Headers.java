package io.angarium;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a message: names and text values in the order they were added, one value per name.
 * Immutable.
 */
public final class Headers {
  /** No headers. */
  public static final Headers EMPTY = new Headers(Map.of());

  private final Map<String, String> values;

  private Headers(Map<String, String> values) {
    this.values = values;
  }

  /**
   * A copy with one header added or replaced.
   *
   * @throws InvalidMessageException if the name is empty or holds a colon, white space or control
   *     characters
   */
  public Headers with(String name, String value) {
    check(name);
    Map<String, String> copy = new LinkedHashMap<>(values);
    copy.put(name, value);
    return new Headers(copy);
  }

  /**
   * Headers with these names and values, in their order.
   *
   * @throws InvalidMessageException if a name is not as {@link #with} expects it
   */
  public static Headers of(Map<String, String> values) {
    values.keySet().forEach(Headers::check);
    return values.isEmpty() ? EMPTY : new Headers(new LinkedHashMap<>(values));
  }

  private static void check(String name) {
    boolean wellFormed =
        !name.isEmpty()
            && name.chars()
                .noneMatch(c -> c == ':' || c == '\\' || Character.isWhitespace(c) || c < ' ');
    if (!wellFormed) {
      throw new InvalidMessageException(
          "header name: '" + name + "' (expected: no colon, backslash, white space or control)");
    }
  }

  /** The value of a header, or null if there is none of that name. */
  public @Nullable String get(String name) {
    return values.get(name);
  }

  /** True if there are no headers. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Calls {@code action} with each name and value, in order. */
  public void forEach(BiConsumer<String, String> action) {
    values.forEach(action);
  }

  /** An unmodifiable view in order. */
  public Map<String, String> asMap() {
    return Collections.unmodifiableMap(values);
  }

  /**
   * The form kept in the database: a line {@code name:value} per header, with backslash, line feed
   * and carriage return in values escaped; null without headers.
   */
  public @Nullable String encode() {
    if (values.isEmpty()) {
      return null;
    }
    StringBuilder text = new StringBuilder(64);
    values.forEach(
        (name, value) -> text.append(name).append(':').append(escape(value)).append('\n'));
    return text.toString();
  }

  /** Reads what {@link #encode} wrote; null gives {@link #EMPTY}. */
  public static Headers decode(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return EMPTY;
    }
    Map<String, String> values = new LinkedHashMap<>();
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      int line = end < 0 ? text.length() : end;
      int colon = text.indexOf(':', start);
      if (colon > start && colon < line) {
        values.put(text.substring(start, colon), unescape(text.substring(colon + 1, line)));
      }
      start = line + 1;
    }
    return new Headers(values);
  }

  private static String escape(String value) {
    if (value.indexOf('\\') < 0 && value.indexOf('\n') < 0 && value.indexOf('\r') < 0) {
      return value;
    }
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder text = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' && i + 1 < value.length()) {
        char escaped = value.charAt(++i);
        text.append(escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Headers headers && values.equals(headers.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The names only: values may be secret. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}
