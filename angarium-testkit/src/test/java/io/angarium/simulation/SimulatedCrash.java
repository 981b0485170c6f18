package io.angarium.simulation;

/** The end of a process: nothing after it is executed, and nobody in the process may catch it. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String node) {
    super(node + " crashed", null, false, false);
  }
}
