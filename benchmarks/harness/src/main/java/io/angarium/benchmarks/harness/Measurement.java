package io.angarium.benchmarks.harness;

/**
 * One number. Immutable.
 *
 * @param section what was done on which database
 * @param arm by whom
 * @param parameter what varies within the scenario; empty if nothing does
 * @param round counted from 1
 * @param metric what the number is, with its unit
 */
record Measurement(
    Section section, String arm, String parameter, int round, String metric, double value) {
  /** Checks that the files can tell the texts apart. */
  Measurement {
    if ((section + arm + parameter + metric).split(",", -1).length > 2) { // one is of the section
      throw new IllegalArgumentException("with a comma: " + section + arm + parameter + metric);
    }
  }

  String scenario() {
    return section.scenario();
  }

  String database() {
    return section.database();
  }

  boolean isOf(String wantedScenario, String wantedDatabase) {
    return section.equals(new Section(wantedScenario, wantedDatabase));
  }
}
