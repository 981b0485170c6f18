/** The statements of each database for the outbox, its leases and its dead letters. */
@NullMarked
package io.angarium.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
