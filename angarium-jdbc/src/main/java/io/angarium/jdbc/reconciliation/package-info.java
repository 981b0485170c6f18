/**
 * Compares what was produced with what was consumed: {@link
 * io.angarium.jdbc.reconciliation.ProducedMessages} and {@link
 * io.angarium.jdbc.reconciliation.ConsumedMessages}.
 */
@NullMarked
package io.angarium.jdbc.reconciliation;

import org.jspecify.annotations.NullMarked;
