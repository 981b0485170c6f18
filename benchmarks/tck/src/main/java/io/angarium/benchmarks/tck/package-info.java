/** The contract of an arm, as tests against real servers: what is measured must have been done. */
@NullMarked
package io.angarium.benchmarks.tck;

import org.jspecify.annotations.NullMarked;
