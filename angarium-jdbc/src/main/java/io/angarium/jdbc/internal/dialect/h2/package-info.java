/** The statements of H2 for the outbox, its leases and its dead letters. */
@NullMarked
package io.angarium.jdbc.internal.dialect.h2;

import org.jspecify.annotations.NullMarked;
