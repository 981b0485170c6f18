/**
 * Runs the arms against real servers, measures them from outside, checks what arrived, and writes
 * tables and plots.
 */
@NullMarked
package io.angarium.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
