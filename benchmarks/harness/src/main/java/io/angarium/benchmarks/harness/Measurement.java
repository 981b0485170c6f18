package io.angarium.benchmarks.harness;

/**
 * One number. Immutable.
 *
 * @param scenario what was done
 * @param database on which
 * @param arm by whom
 * @param parameter what varies within the scenario; empty if nothing does
 * @param round counted from 1
 * @param metric what the number is, with its unit
 */
record Measurement(
    String scenario,
    String database,
    String arm,
    String parameter,
    int round,
    String metric,
    double value) {
  boolean isOf(String wantedScenario, String wantedDatabase) {
    return scenario.equals(wantedScenario) && database.equals(wantedDatabase);
  }
}
