package io.angarium.jdbc.reconciliation;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.reconciliation.TaskProgress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The progress of tasks in one database. Takes a connection for each call. Thread-safe. */
public final class JdbcTaskProgress implements TaskProgress {
  private static final String UNIQUE_VIOLATION = "23";

  private final OpenDatabase database;
  private final ReconciliationDialect dialect;

  /** Made by {@code JdbcDatabase}. */
  public JdbcTaskProgress(OpenDatabase database) {
    this.database = database;
    Dialect server = database.dialect();
    this.dialect = new ReconciliationDialect(server, server.names());
  }

  @Override
  public @Nullable Turn begin(String task, Duration lease) {
    Optional<Turn> begun =
        transaction(
            connection -> {
              boolean mine =
                  dialect.begin(task, lease).update(connection) == 1
                      || (turns(connection, task).isEmpty() && isFirst(connection, task, lease));
              return mine ? turns(connection, task).stream().findFirst() : Optional.empty();
            });
    return begun.orElse(null);
  }

  private List<Turn> turns(Connection connection, String task) throws SQLException {
    return dialect
        .done(task)
        .query(
            connection,
            row ->
                new Turn(
                    row.getLong(1),
                    row.getObject(2) == null ? null : Instant.ofEpochMilli(row.getLong(2))));
  }

  private boolean isFirst(Connection connection, String task, Duration lease) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      return dialect.first(task, lease).update(connection) == 1;
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(UNIQUE_VIOLATION)) {
        connection.rollback(before); // another node was first
        return false;
      }
      throw e;
    }
  }

  @Override
  public boolean proceed(String task, Turn turn, Instant doneUntil, Duration lease) {
    return update(dialect.proceed(task, turn.token(), doneUntil.toEpochMilli(), lease));
  }

  @Override
  public void end(String task, Turn turn) {
    update(dialect.end(task, turn.token()));
  }

  private boolean update(Sql sql) {
    return transaction(connection -> sql.update(connection) == 1);
  }

  private <T> T transaction(Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction("asking whose turn a task is", work);
    }
  }
}
