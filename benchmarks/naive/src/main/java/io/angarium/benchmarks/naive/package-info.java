/** A message centre as one writes it first, and an arm that calls it. */
@NullMarked
package io.angarium.benchmarks.naive;

import org.jspecify.annotations.NullMarked;
