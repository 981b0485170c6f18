package io.angarium.console.internal.export;

import java.time.Instant;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a table as RFC 4180 describes them. Texts come from strangers: one that a spreadsheet
 * would take for a formula gets an apostrophe before it, and every text is quoted.
 */
final class CsvLine {
  /**
   * What begins a formula, also in the wide forms that spreadsheets in East Asia take for these.
   */
  private static final String BEGINS_A_FORMULA = "=+-@\t\r\n＝＋－＠";

  private CsvLine() {}

  /** A line with its end. */
  static String of(Collection<? extends @Nullable Object> cells) {
    return cells.stream().map(CsvLine::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Number || value instanceof Boolean || value instanceof Instant) {
      return value.toString();
    }
    String text = value.toString();
    boolean formula = !text.isEmpty() && BEGINS_A_FORMULA.indexOf(text.charAt(0)) >= 0;
    return "\"" + (formula ? "'" : "") + text.replace("\"", "\"\"") + "\"";
  }
}
