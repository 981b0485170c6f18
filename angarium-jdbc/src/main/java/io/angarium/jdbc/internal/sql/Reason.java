package io.angarium.jdbc.internal.sql;

import io.angarium.internal.UnicodeText;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Why a message failed, as its column takes it. */
public final class Reason {
  private static final int LENGTH_MAX = 1_000;

  private Reason() {}

  /** A reason as long as its column; whole characters, without NUL, which some databases refuse. */
  public static @Nullable String cut(@Nullable String reason) {
    if (reason == null) {
      return null;
    }
    return UnicodeText.cut(whole(reason.replace('\u0000', ' ')), LENGTH_MAX);
  }

  /** Half characters, as others cut texts, are written as escapes: no database takes them. */
  private static String whole(String text) {
    return text.codePoints().noneMatch(Reason::isHalf) ? text : escaped(text, Reason::isHalf);
  }

  private static boolean isHalf(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  /** A reason that every encoding of a database has: what is beyond ASCII is written as escapes. */
  public static @Nullable String plain(@Nullable String reason) {
    return reason == null ? null : escaped(reason, character -> character < 32 || character > 126);
  }

  private static String escaped(String text, IntPredicate which) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            character -> {
              if (which.test(character)) {
                escaped.append(String.format(Locale.ROOT, "\\u%04X", character));
              } else {
                escaped.appendCodePoint(character);
              }
            });
    return escaped.toString();
  }
}
