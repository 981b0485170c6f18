/**
 * The outbox on a database reached by JDBC: what an application writes, what the relay reads, and
 * the leases between relays. Start with {@link io.angarium.jdbc.JdbcDatabase#open}.
 */
@NullMarked
package io.angarium.jdbc;

import org.jspecify.annotations.NullMarked;
