/** The statements of PostgreSQL for the outbox, its leases and its dead letters. */
@NullMarked
package io.angarium.jdbc.internal.dialect.postgres;

import org.jspecify.annotations.NullMarked;
