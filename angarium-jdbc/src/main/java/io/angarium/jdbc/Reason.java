package io.angarium.jdbc;

import org.jspecify.annotations.Nullable;

/** Why a message failed, as its column takes it. */
final class Reason {
  private static final int LENGTH_MAX = 1_000;

  private Reason() {}

  /** A reason as long as its column; whole characters, without NUL, which some databases refuse. */
  static @Nullable String cut(@Nullable String reason) {
    if (reason == null) {
      return null;
    }
    String clean = reason.replace('\u0000', ' ');
    if (clean.length() <= LENGTH_MAX) {
      return clean;
    }
    int end = Character.isHighSurrogate(clean.charAt(LENGTH_MAX - 1)) ? LENGTH_MAX - 1 : LENGTH_MAX;
    return clean.substring(0, end);
  }
}
