package io.angarium.jdbc;

import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** An outbox on a new MySQL or MariaDB database, and a look behind it. */
final class MySqlScene implements AutoCloseable {
  final DataSource dataSource;
  final JdbcDatabase database;
  final JdbcOutboxStore store;
  final MySqlFamily dialect;

  MySqlScene(DataSource dataSource) {
    this.dataSource = dataSource;
    this.database = JdbcDatabase.open(dataSource, EmptyDatabase.WITH_ALL_TABLES);
    this.store = database.store();
    this.dialect =
        (MySqlFamily) Dialects.of(database.product(), new TableNames(JdbcConfig.DEFAULTS));
  }

  Connection begin() throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  List<StoredMessage> write(int count) throws SQLException {
    try (Connection connection = begin()) {
      List<StoredMessage> written =
          StoredRows.write(database, connection, PostgresScene.messages(count));
      connection.commit();
      return written;
    }
  }

  /** A connection with the settings of the relay's sessions. */
  Connection relayConnection() throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    dialect.sessions().change(connection, dialect.sessions().sessionSettings(SessionRole.READ));
    return connection;
  }

  @Override
  public void close() {
    store.close();
  }
}
