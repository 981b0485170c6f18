/**
 * Reconciliation: a periodic comparison of what was produced with what was consumed, by count and
 * checksum, which names what differs and can send again what is missing.
 */
@NullMarked
package io.angarium.reconciliation;

import org.jspecify.annotations.NullMarked;
