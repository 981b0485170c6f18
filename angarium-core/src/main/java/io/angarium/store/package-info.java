/**
 * What the relay needs from a database: unsent, parked and dead messages, and partition leases. For
 * implementers of a store.
 */
@NullMarked
package io.angarium.store;

import org.jspecify.annotations.NullMarked;
