/** The limits: the best loop written by hand, and the business without any messages. */
@NullMarked
package io.angarium.benchmarks.raw;

import org.jspecify.annotations.NullMarked;
