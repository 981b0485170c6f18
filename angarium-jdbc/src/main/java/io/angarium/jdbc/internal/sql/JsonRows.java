package io.angarium.jdbc.internal.sql;

import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as a JSON array of arrays, for statements that read them as a table: any number of
 * rows in one parameter, and the text of the statement is always the same.
 */
public final class JsonRows {
  private JsonRows() {}

  /**
   * One inner array per row.
   *
   * @param columns the values of a row: numbers, booleans and texts; nulls only at the end, as they
   *     are left out
   */
  public static <T> String of(Collection<T> rows, Function<T, @Nullable Object[]> columns) {
    StringBuilder json = new StringBuilder(16 * rows.size() + 2).append('[');
    for (T row : rows) {
      json.append(json.length() == 1 ? "[" : ",[");
      append(json, columns.apply(row));
      json.append(']');
    }
    return json.append(']').toString();
  }

  /** One array of texts. */
  public static String flat(Collection<String> texts) {
    StringBuilder json = new StringBuilder("[");
    for (String text : texts) {
      json.append(json.length() == 1 ? "" : ",");
      appendText(json, text);
    }
    return json.append(']').toString();
  }

  private static void append(StringBuilder json, @Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      if (value == null) {
        return;
      }
      json.append(i == 0 ? "" : ",");
      if (value instanceof String text) {
        appendText(json, text);
      } else {
        json.append(value);
      }
    }
  }

  private static void appendText(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
