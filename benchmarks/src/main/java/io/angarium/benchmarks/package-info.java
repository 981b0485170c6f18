/** Programs that measure Angarium beside hand-written loops in the same run. */
@NullMarked
package io.angarium.benchmarks;

import org.jspecify.annotations.NullMarked;
