/** The statements of MySQL and MariaDB for the outbox, its leases and its dead letters. */
@NullMarked
package io.angarium.jdbc.internal.dialect.mysql;

import org.jspecify.annotations.NullMarked;
