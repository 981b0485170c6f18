/** The brokers that arms send to, and readers of what arrived there. */
@NullMarked
package io.angarium.benchmarks.brokers;

import org.jspecify.annotations.NullMarked;
