package io.angarium.jdbc;

import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Where a transaction's messages went: a writer tells it of keyless ones only. */
final class StoredRows {
  private StoredRows() {}

  /** Writes messages and returns the rows of those that were not dropped, in their order. */
  static List<StoredMessage> write(
      JdbcDatabase database, Connection connection, List<NewMessage> messages) throws SQLException {
    database.writer().write(connection, messages);
    return of(database, connection, messages);
  }

  private static List<StoredMessage> of(
      JdbcDatabase database, Connection connection, List<NewMessage> messages) throws SQLException {
    Dialect dialect = Dialects.of(database.product(), new TableNames(JdbcConfig.DEFAULTS));
    if (dialect instanceof PostgresDialect) {
      Sql.of("SET LOCAL enable_seqscan = off").run(connection); // tests count such scans
    }
    Map<UUID, NewMessage> byId = new HashMap<>();
    messages.forEach(message -> byId.put(message.id().value(), message));
    Map<UUID, StoredMessage> rows = new HashMap<>();
    Sql.of("SELECT partition_no, id, message_id, created_at FROM outbox ORDER BY partition_no, id")
        .forEach(
            connection,
            row -> {
              NewMessage message = byId.get(dialect.uuid(row, 3));
              if (message != null) {
                Position position = new Position(row.getInt(1), row.getLong(2));
                rows.put(
                    message.id().value(),
                    new StoredMessage(
                        position, message.id(), message.message(), 0, dialect.instant(row, 4)));
              }
            });
    return messages.stream()
        .map(message -> message.id().value())
        .filter(rows::containsKey)
        .map(rows::get)
        .toList();
  }
}
