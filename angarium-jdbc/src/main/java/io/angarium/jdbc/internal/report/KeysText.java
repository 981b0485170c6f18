package io.angarium.jdbc.internal.report;

import io.angarium.reconciliation.ReportKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a report as one text: a line for each, which begins with a sign for its kind. Line
 * ends, zeros and backslashes within keys are escaped.
 */
final class KeysText {
  private static final char MISSING = '-';
  private static final char UNEXPECTED = '+';
  private static final char REPEATED = '*';

  private KeysText() {}

  /** Null if there are none. */
  static @Nullable String of(ReportKeys keys) {
    StringBuilder text = new StringBuilder();
    add(text, MISSING, keys.missing());
    add(text, UNEXPECTED, keys.unexpected());
    add(text, REPEATED, keys.repeated());
    return text.isEmpty() ? null : text.toString();
  }

  private static void add(StringBuilder text, char sign, List<String> keys) {
    for (String key : keys) {
      text.append(sign);
      key.chars().forEach(each -> add(text, (char) each));
      text.append('\n');
    }
  }

  private static void add(StringBuilder text, char each) {
    switch (each) {
      case '\\' -> text.append("\\\\");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case 0 -> text.append("\\0");
      default -> text.append(each);
    }
  }

  static ReportKeys read(@Nullable String text, boolean complete) {
    List<String> missing = new ArrayList<>();
    List<String> unexpected = new ArrayList<>();
    List<String> repeated = new ArrayList<>();
    int from = 0;
    while (text != null && from < text.length()) {
      int end = text.indexOf('\n', from);
      List<String> kind =
          switch (text.charAt(from)) {
            case MISSING -> missing;
            case UNEXPECTED -> unexpected;
            default -> repeated;
          };
      kind.add(unescaped(text.substring(from + 1, end)));
      from = end + 1;
    }
    return new ReportKeys(missing, unexpected, repeated, complete);
  }

  private static String unescaped(String text) {
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '\\') {
        i++;
        key.append(
            switch (text.charAt(i)) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              case '0' -> '\0';
              default -> '\\';
            });
      } else {
        key.append(each);
      }
    }
    return key.toString();
  }
}
