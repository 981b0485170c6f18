package io.angarium.benchmarks.harness;

import java.util.Locale;

/** Numbers as people read them: three digits that count, thousands set apart. */
final class Figures {
  static final String NOT_MEASURABLE = "not measurable";

  private Figures() {}

  /** A figure that cannot be below 0 but by the noise of what was taken off. */
  static String measured(double value) {
    return value < 0 ? NOT_MEASURABLE : of(value);
  }

  static String of(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (size >= 1_000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size == Math.rint(size)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
  }
}
