/** Externalized events of Spring Modulith as an arm of the comparison. */
@NullMarked
package io.angarium.benchmarks.modulith;

import org.jspecify.annotations.NullMarked;
