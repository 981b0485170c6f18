package io.angarium.benchmarks.harness;

/** Something the arms are made to do, and what is measured of it. */
interface Scenario {
  /** As in tables, files, and on the command line. */
  String name();

  /** Does it, and adds the results. */
  void run(Stage stage, Recorder recorder) throws Exception;
}
