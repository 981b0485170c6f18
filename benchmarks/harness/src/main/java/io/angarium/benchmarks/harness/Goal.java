package io.angarium.benchmarks.harness;

import java.util.OptionalDouble;

/**
 * A figure that is to be reached, on each database. Immutable.
 *
 * @param number of the goal it belongs to
 * @param what is measured
 * @param atLeast true if more is better
 */
record Goal(String number, String what, boolean atLeast, double limit, Measured measured) {
  /** Takes the figure out of the results. */
  interface Measured {
    /** Empty if it was not measured. */
    OptionalDouble on(Lookup results);
  }

  static Goal atLeast(String number, String what, double limit, Measured measured) {
    return new Goal(number, what, true, limit, measured);
  }

  static Goal atMost(String number, String what, double limit, Measured measured) {
    return new Goal(number, what, false, limit, measured);
  }

  boolean reachedBy(double value) {
    return atLeast ? value >= limit : value <= limit;
  }

  String limitText() {
    return (atLeast ? "≥ " : "≤ ") + Figures.of(limit);
  }
}
