package io.angarium.benchmarks.arm;

/** How an arm is set up. */
public enum Variant {
  /** As it comes: nothing set that need not be. */
  DEFAULTS,
  /** As its makers advise for throughput, or as we found to be fastest. */
  TUNED
}
