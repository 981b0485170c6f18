/** The partitions that a node owns, by leases. */
@NullMarked
package io.angarium.relay.internal.partition;

import org.jspecify.annotations.NullMarked;
