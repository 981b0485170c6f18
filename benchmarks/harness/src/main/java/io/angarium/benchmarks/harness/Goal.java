package io.angarium.benchmarks.harness;

import java.util.OptionalDouble;

/**
 * A figure that is to be reached, on each database. Immutable.
 *
 * @param number of the goal it belongs to
 * @param what is measured
 * @param atLeast true if more is better
 * @param noise the same between rounds that should not differ; empty if that is not told
 */
record Goal(
    String number, String what, boolean atLeast, double limit, Measured measured, Measured noise) {
  /** Takes the figure out of the results. */
  interface Measured {
    /** Empty if it was not measured. */
    OptionalDouble on(Lookup results);
  }

  static Goal atLeast(String number, String what, double limit, Measured measured) {
    return new Goal(number, what, true, limit, measured, r -> OptionalDouble.empty());
  }

  static Goal atMost(String number, String what, double limit, Measured measured) {
    return new Goal(number, what, false, limit, measured, r -> OptionalDouble.empty());
  }

  /** The same, told beside how far rounds are apart that should not differ. */
  Goal beside(Measured apart) {
    return new Goal(number, what, atLeast, limit, measured, apart);
  }

  boolean reachedBy(double value) {
    return atLeast ? value >= limit : value <= limit;
  }

  String limitText() {
    return (atLeast ? "≥ " : "≤ ") + Figures.of(limit);
  }
}
