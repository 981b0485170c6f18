package io.angarium.report;

/**
 * A test that did not run.
 *
 * @param name class and method
 * @param reason what the test engine was told
 */
record SkippedTest(String name, String reason) {
  /** Whether the test needs a server that cannot be had here, which the report lists by name. */
  boolean isForWantOfAServer() {
    return reason.contains(" NOT COVERED");
  }

  @Override
  public String toString() {
    return name + ": " + (reason.isEmpty() ? "no reason given" : reason);
  }
}
