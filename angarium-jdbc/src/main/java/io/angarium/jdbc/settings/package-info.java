/**
 * What an outbox or inbox on a database is told: {@link io.angarium.jdbc.settings.JdbcConfig},
 * {@link io.angarium.jdbc.settings.InboxConfig}, the parts of the schema, and the servers that are
 * accepted at one's own risk.
 */
@NullMarked
package io.angarium.jdbc.settings;

import org.jspecify.annotations.NullMarked;
