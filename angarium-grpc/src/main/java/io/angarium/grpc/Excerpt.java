package io.angarium.grpc;

import org.jspecify.annotations.Nullable;

/** A bounded, printable part of a text that may come from a stranger. */
final class Excerpt {
  /** Percent-encoded nine bytes each at worst, this fits into the headers that gRPC takes. */
  static final int LENGTH_MAX = 400;

  private Excerpt() {}

  static String of(@Nullable String text) {
    if (text == null) {
      return "";
    }
    StringBuilder excerpt = new StringBuilder();
    text.codePoints()
        .limit(LENGTH_MAX)
        .forEach(c -> excerpt.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
    return excerpt.toString().strip();
  }
}
