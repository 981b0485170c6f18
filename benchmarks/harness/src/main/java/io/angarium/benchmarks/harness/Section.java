package io.angarium.benchmarks.harness;

/** What one run measures as a whole, and the next one in its place. Immutable. */
record Section(String scenario, String database) {
  @Override
  public String toString() {
    return scenario + ", " + database;
  }
}
