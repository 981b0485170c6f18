package io.angarium.jdbc.internal.write;

import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Notes of messages that were sent and must be confirmed, written in the transaction that deletes
 * them. Costs nothing if no destination demands it. Thread-safe.
 */
final class SentNotes {
  private final ConfirmationDialect dialect;
  private final boolean demanded;

  SentNotes(Dialect server, ConfirmationConfig config) {
    this.dialect = new ConfirmationDialect(server, config);
    this.demanded = config.required();
  }

  /** False if there is nothing to note, ever. */
  boolean demanded() {
    return demanded;
  }

  /**
   * Notes those that must be confirmed.
   *
   * @param table where they are: {@code outbox} or {@code outbox_parked}
   */
  void add(Connection connection, String table, List<Position> sent) throws SQLException {
    if (!demanded) {
      return;
    }
    Map<UUID, Position> demanding = new TreeMap<>(); // two copies of a message are one
    dialect
        .demanding(table, sent)
        .query(connection, this::demanding)
        .forEach(row -> demanding.put(row.id(), row.at()));
    if (!demanding.isEmpty()) {
      dialect.sentAgain(demanding.keySet()).run(connection);
      dialect.sent(table, List.copyOf(demanding.values())).run(connection);
    }
  }

  private record Demanding(UUID id, Position at) {}

  private Demanding demanding(ResultSet row) throws SQLException {
    return new Demanding(dialect.id().read(row), new Position(row.getInt(2), row.getLong(3)));
  }
}
