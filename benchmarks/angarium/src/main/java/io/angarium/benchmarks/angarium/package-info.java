/** Angarium as an arm of the comparison. */
@NullMarked
package io.angarium.benchmarks.angarium;

import org.jspecify.annotations.NullMarked;
