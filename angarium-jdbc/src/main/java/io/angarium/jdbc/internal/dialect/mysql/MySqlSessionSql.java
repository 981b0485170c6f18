package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.sql.ObservedTransaction;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Session settings, transactions and errors on MySQL and MariaDB. */
public final class MySqlSessionSql implements SessionSql {
  private static final int LOCK_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;

  private final MySqlVariant variant;

  MySqlSessionSql(MySqlVariant variant) {
    this.variant = variant;
  }

  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    Map<String, String> settings = new LinkedHashMap<>(variant.sessionSettings());
    settings.put("sql_safe_updates", "0"); // statements here name their rows by lists
    settings.put("sql_big_selects", "1");
    if (role == SessionRole.CHECK) {
      settings.put(LOCK_WAIT, "1");
    } else if (setsLockTimeout(role)) {
      // a lost connection goes on waiting for its lock on the server; not for long
      settings.put(LOCK_WAIT, "3");
    }
    return settings;
  }

  private static final String LOCK_WAIT = "innodb_lock_wait_timeout";

  public Sql read(Collection<String> settings) {
    return Sql.of("SELECT @@SESSION." + String.join(", @@SESSION.", settings));
  }

  /** All that a session sets are numbers. */
  public Sql set(Map<String, ? extends @Nullable String> settings) {
    List<@Nullable Object> values = new ArrayList<>();
    settings.values().forEach(value -> values.add(Long.valueOf(Objects.requireNonNull(value))));
    return new Sql("SET SESSION " + String.join(" = ?, ", settings.keySet()) + " = ?", values);
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    read(settings.keySet())
        .forEach(
            connection,
            row -> {
              for (String name : settings.keySet()) {
                before.put(name, row.getString(before.size() + 1));
              }
            });
    set(settings).run(connection);
    return before;
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before)
      throws SQLException {
    set(before).run(connection);
  }

  private static boolean setsLockTimeout(SessionRole role) {
    return role == SessionRole.WRITE
        || role == SessionRole.WRITE_TOGETHER
        || role == SessionRole.COMPLETE
        || role == SessionRole.CHECK;
  }

  // of two that wait for a row of a transaction that rolls back, one is ended as a deadlock
  @Override
  public boolean isLockTimeout(SQLException e) {
    return e.getErrorCode() == LOCK_TIMEOUT || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return e.getErrorCode() == DEADLOCK;
  }

  /** The option that a server starts with, and the mode that is switched on while it runs. */
  private static final Set<Integer> READ_ONLY_ERRORS = Set.of(1290, 1836);

  @Override
  public boolean isReadOnly(SQLException e) {
    return READ_ONLY_ERRORS.contains(e.getErrorCode()) || READ_ONLY.equals(e.getSQLState());
  }

  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return new ObservedTransaction(
        connection,
        open,
        (c, failure) -> !isOfDriver(failure) && variant.isOver(c),
        MySqlSessionSql::savepoint);
  }

  /** What a lost connection, and a transaction lost with it, begins with. */
  private static final Set<String> LOST = Set.of("08", "25", "40");

  /**
   * An error that the driver made up itself, such as for an unknown column of a result. Nothing
   * need be asked then, and nothing can be while the driver streams a result.
   */
  private static boolean isOfDriver(SQLException e) {
    String state = e.getSQLState();
    return e.getErrorCode() <= 0 && state != null && LOST.stream().noneMatch(state::startsWith);
  }

  /** A savepoint, which goes with its transaction. */
  public static TransactionWatch savepoint(Connection connection) throws SQLException {
    Savepoint begun = connection.setSavepoint();
    return () -> release(connection, begun);
  }

  private static final String RELEASE_SAVEPOINT = "RELEASE SAVEPOINT `%s`";

  /**
   * Fails if a savepoint has gone with its transaction. As text where the driver tells its name, as
   * Connector/J does: before 8.2 it released one without asking the server (bug 35811592).
   */
  public static void release(Connection connection, Savepoint savepoint) throws SQLException {
    String name;
    try {
      name = savepoint.getSavepointName();
    } catch (SQLException e) { // it has none
      connection.releaseSavepoint(savepoint);
      return;
    }
    try (Statement statement = connection.createStatement()) { // it cannot be prepared everywhere
      statement.execute(RELEASE_SAVEPOINT.formatted(name));
    }
  }
}
