/** Writes to the store under the lease, grouped: deletes, parked messages, dead letters. */
@NullMarked
package io.angarium.relay.internal.write;

import org.jspecify.annotations.NullMarked;
