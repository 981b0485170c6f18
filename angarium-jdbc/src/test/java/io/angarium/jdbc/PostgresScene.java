package io.angarium.jdbc;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** An outbox on a new PostgreSQL database, and a look behind it. */
final class PostgresScene implements AutoCloseable {
  final DataSource dataSource;
  final JdbcDatabase database;
  final JdbcOutboxStore store;
  final PostgresDialect dialect = new PostgresDialect(new TableNames(JdbcConfig.DEFAULTS));

  PostgresScene() {
    this(EmptyDatabase.postgres());
  }

  PostgresScene(DataSource empty) {
    dataSource = empty;
    database = JdbcDatabase.open(empty, EmptyDatabase.WITH_ALL_TABLES);
    store = database.store();
  }

  Connection begin() throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  List<StoredMessage> write(int count) throws SQLException {
    try (Connection connection = begin()) {
      List<StoredMessage> written = StoredRows.write(database, connection, messages(count));
      connection.commit();
      return written;
    }
  }

  /** Messages of 200 bytes over all keyed partitions. */
  static List<NewMessage> messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new NewMessage(
                    new MessageId(UUID.randomUUID()),
                    i % Partitioning.DEFAULTS.keyed(),
                    Message.of("kafka:orders", new byte[200]).key("k" + i)))
        .toList();
  }

  static List<SequenceRange> everythingAfter(long sequence) {
    return Arrays.stream(Partitioning.DEFAULTS.all())
        .mapToObj(partition -> SequenceRange.after(partition, sequence))
        .toList();
  }

  /** A connection with the settings of the relay's sessions. */
  Connection relayConnection() throws SQLException {
    return relayConnection(SessionRole.COMPLETE);
  }

  Connection relayConnection(SessionRole role) throws SQLException {
    Connection connection = dataSource.getConnection();
    dialect.sessions().change(connection, dialect.sessions().sessionSettings(role));
    return connection;
  }

  String explain(Connection connection, String options, Sql sql) throws SQLException {
    Sql explain = new Sql("EXPLAIN " + options + " " + sql.text(), sql.parameters());
    return String.join("\n", explain.query(connection, row -> row.getString(1)));
  }

  @Override
  public void close() {
    store.close();
  }
}
