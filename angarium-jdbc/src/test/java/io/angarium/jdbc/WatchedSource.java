package io.angarium.jdbc;

import io.angarium.jdbc.internal.dialect.mysql.MySqlDialect;
import io.angarium.jdbc.internal.sql.PhysicalConnection;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A pool that gives connections settings of its own and notes what is different about them when
 * they come back: every variable of the session, the properties of JDBC, and whether a transaction
 * is open. Thread-safe.
 */
final class WatchedSource {
  /** Counters and clocks of a session, which nobody sets. */
  private static final String MOVING =
      "timestamp|last_insert_id|identity|insert_id|rand_seed.*|error_count|warning_count|"
          + "in_transaction|last_gtid|gtid_.*|statement_id|pseudo_.*|proxy_user|external_user|"
          + "resultset_metadata|use_secondary_engine|server_uuid|transaction_allow_batching";

  private final DataSource behind;
  private final boolean autoCommit;
  private final List<String> differences = new CopyOnWriteArrayList<>();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger out = new AtomicInteger();

  WatchedSource(DataSource behind, boolean autoCommit) {
    this.behind = behind;
    this.autoCommit = autoCommit;
  }

  DataSource dataSource() {
    return new ConnectionSource(this::open);
  }

  /** What was different about connections that came back. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  int taken() {
    return taken.get();
  }

  /** How many came back ended. */
  int ended() {
    return ended.get();
  }

  /** How many have not come back. */
  int out() {
    return out.get();
  }

  private Connection open() throws SQLException {
    Connection real = behind.getConnection();
    Server server = Server.of(real);
    for (String setting : server.unusual()) {
      Sql.of(setting).run(real);
    }
    real.setTransactionIsolation(server.isolation());
    real.setNetworkTimeout(Runnable::run, 54_321);
    real.clearWarnings();
    real.setAutoCommit(autoCommit);
    Map<String, String> before = server.state(real);
    taken.incrementAndGet();
    out.incrementAndGet();
    return (Connection)
        Proxy.newProxyInstance(
            WatchedSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                giveBack(real, server, before);
                return null;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void giveBack(Connection real, Server server, Map<String, String> before)
      throws SQLException {
    out.decrementAndGet();
    if (real.isClosed()) {
      ended.incrementAndGet();
      return;
    }
    try (real) {
      if (server.inTransaction(real)) {
        differences.add("a transaction is open");
      }
      Map<String, String> after = server.state(real);
      after.forEach(
          (name, value) -> {
            if (!value.equals(before.get(name))) {
              differences.add(name + ": " + before.get(name) + " -> " + value);
            }
          });
      before.forEach(
          (name, value) -> {
            if (!after.containsKey(name)) {
              differences.add(name + ": " + value + " -> gone");
            }
          });
      real.rollback();
    } catch (SQLException e) {
      if (real.getAutoCommit()) {
        return; // nothing to roll back
      }
      throw e;
    }
  }

  private enum Server {
    POSTGRESQL,
    MARIADB,
    MYSQL,
    H2;

    static Server of(Connection connection) throws SQLException {
      DatabaseMetaData server = connection.getMetaData();
      String name = server.getDatabaseProductName() + server.getDatabaseProductVersion();
      return name.contains("MariaDB")
          ? MARIADB
          : name.startsWith("MySQL") ? MYSQL : name.startsWith("H2") ? H2 : POSTGRESQL;
    }

    /** What a careful owner of a pool sets for all its connections. */
    List<String> unusual() {
      return switch (this) {
        case POSTGRESQL ->
            List.of(
                "SET lock_timeout = '7s'",
                "SET synchronous_commit = local",
                "SET jit = on",
                "SET plan_cache_mode = force_custom_plan",
                "SET enable_hashjoin = on",
                "SET work_mem = '5MB'");
        case MARIADB ->
            List.of(
                "SET SESSION innodb_lock_wait_timeout = 17",
                "SET SESSION lock_wait_timeout = 33",
                "SET SESSION in_predicate_conversion_threshold = 77");
        case MYSQL ->
            List.of(
                "SET SESSION innodb_lock_wait_timeout = 17",
                "SET SESSION lock_wait_timeout = 33",
                "SET SESSION information_schema_stats_expiry = 77");
        case H2 -> List.of("SET LOCK_TIMEOUT 17000");
      };
    }

    int isolation() {
      return switch (this) {
        case POSTGRESQL -> Connection.TRANSACTION_READ_UNCOMMITTED;
        case H2 -> Connection.TRANSACTION_SERIALIZABLE;
        default -> Connection.TRANSACTION_REPEATABLE_READ;
      };
    }

    private List<String> queries() {
      return switch (this) {
        case POSTGRESQL ->
            List.of(
                "SELECT name, setting || ' by ' || source FROM pg_settings"
                    + " WHERE name NOT IN ('transaction_isolation', 'transaction_read_only')",
                "SELECT 'prepared', count(*)::text FROM pg_prepared_statements WHERE from_sql",
                "SELECT 'advisory locks', count(*)::text FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
                "SELECT 'temporary schema', pg_my_temp_schema()::text",
                "SELECT 'channels', count(*)::text FROM pg_listening_channels()");
        case MARIADB ->
            List.of(
                "SHOW SESSION VARIABLES",
                "SELECT 'lock', COALESCE(IS_USED_LOCK('angarium schema') = CONNECTION_ID(), 0)");
        case MYSQL ->
            List.of(
                "SHOW SESSION VARIABLES",
                "SELECT CONCAT('@', v.VARIABLE_NAME), v.VARIABLE_VALUE"
                    + " FROM performance_schema.user_variables_by_thread AS v"
                    + " JOIN performance_schema.threads AS t USING (THREAD_ID)"
                    + " WHERE t.PROCESSLIST_ID = CONNECTION_ID() AND v.VARIABLE_VALUE IS NOT NULL",
                "SELECT 'locks', COUNT(*) FROM performance_schema.metadata_locks AS l"
                    + " JOIN performance_schema.threads AS t ON t.THREAD_ID = l.OWNER_THREAD_ID"
                    + " WHERE t.PROCESSLIST_ID = CONNECTION_ID()"
                    + " AND l.OBJECT_TYPE = 'USER LEVEL LOCK'");
        case H2 ->
            List.of(
                "SELECT SETTING_NAME, SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
                    + " WHERE SETTING_NAME NOT LIKE 'info.%'",
                "SELECT 'lock timeout', LOCK_TIMEOUT()",
                "SELECT 'isolation level', ISOLATION_LEVEL FROM INFORMATION_SCHEMA.SESSIONS"
                    + " WHERE SESSION_ID = SESSION_ID()");
      };
    }

    boolean inTransaction(Connection connection) throws SQLException {
      if (connection.getAutoCommit()) {
        return false;
      }
      return switch (this) {
        case POSTGRESQL -> !transactionState(connection).equals("IDLE");
        case MARIADB -> first(connection, "SELECT @@in_transaction") == 1;
        case MYSQL -> !new MySqlDialect(new TableNames(JdbcConfig.DEFAULTS)).isOver(connection);
        case H2 ->
            first(
                    connection,
                    "SELECT CONTAINS_UNCOMMITTED FROM INFORMATION_SCHEMA.SESSIONS"
                        + " WHERE SESSION_ID = SESSION_ID()")
                == 1;
      };
    }

    /** As the driver knows it: to ask would begin a transaction. */
    private static String transactionState(Connection connection) {
      Object driver = PhysicalConnection.of(connection);
      try {
        return String.valueOf(driver.getClass().getMethod("getTransactionState").invoke(driver));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static int first(Connection connection, String sql) throws SQLException {
      return Sql.of(sql).query(connection, row -> row.getInt(1)).get(0);
    }

    Map<String, String> state(Connection connection) throws SQLException {
      Map<String, String> state = new TreeMap<>();
      state.put("JDBC warnings", String.valueOf(connection.getWarnings()));
      state.put("JDBC auto-commit", "" + connection.getAutoCommit());
      state.put("JDBC isolation", "" + connection.getTransactionIsolation());
      state.put("JDBC read-only", "" + connection.isReadOnly());
      state.put("JDBC network timeout", "" + connection.getNetworkTimeout());
      state.put("JDBC schema", "" + connection.getSchema());
      state.put("JDBC catalog", "" + connection.getCatalog());
      state.put("JDBC holdability", "" + connection.getHoldability());
      for (String query : queries()) {
        Sql.of(query)
            .forEach(
                connection,
                row -> {
                  if (!row.getString(1).matches(MOVING)) {
                    state.put(row.getString(1), String.valueOf(row.getString(2)));
                  }
                });
      }
      return state;
    }
  }
}
