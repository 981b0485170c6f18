/**
 * What the programs under comparison have in common: each arm runs in a JVM of its own, does the
 * same business transactions, and obeys the same commands.
 */
@NullMarked
package io.angarium.benchmarks.arm;

import org.jspecify.annotations.NullMarked;
