package io.angarium.benchmarks.harness;

/**
 * When and where figures were taken; only those of one run are compared. Immutable.
 *
 * @param began date and time in UTC
 * @param machine with the versions of what ran on it
 */
record Run(String began, String machine) {}
