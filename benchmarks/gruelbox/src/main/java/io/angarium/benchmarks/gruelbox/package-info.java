/** gruelbox transaction-outbox as an arm of the comparison. */
@NullMarked
package io.angarium.benchmarks.gruelbox;

import org.jspecify.annotations.NullMarked;
