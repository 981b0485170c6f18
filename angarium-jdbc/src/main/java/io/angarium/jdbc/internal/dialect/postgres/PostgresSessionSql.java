package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.sql.PostgresDriver;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Session settings, transactions and errors on PostgreSQL. */
public final class PostgresSessionSql implements SessionSql {
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DEADLOCK = "40P01";

  // The statistics of a table that is mostly empty lead to full scans the moment it fills.
  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("enable_seqscan", "off");
    settings.put("enable_hashjoin", "off");
    settings.put("enable_mergejoin", "off");
    settings.put("plan_cache_mode", "force_generic_plan");
    settings.put("jit", "off");
    settings.put("enable_bitmapscan", role == SessionRole.READ_STRETCH ? "on" : "off");
    switch (role) {
      case READ_STRETCH -> settings.put("enable_indexscan", "off");
      case COMPLETE -> settings.put("synchronous_commit", "off");
      case CHECK -> settings.put("lock_timeout", "1s");
      case WRITE_TOGETHER -> settings.put("lock_timeout", "3s");
      default -> {}
    }
    return settings;
  }

  /**
   * Null stands for RESET, so that a session that nobody had set goes on following the server.
   * Parameters: names, values.
   */
  private static final String CHANGE =
      """
      SELECT
        s.name,
        CASE WHEN s.source = 'session' THEN current_setting(s.name) END,
        set_config(s.name, w.value, false)
      FROM pg_settings AS s
        JOIN unnest(?::text[], ?::text[]) AS w (name, value) ON w.name = s.name
      """;

  public Sql change(Map<String, String> settings) {
    return withSettings(CHANGE, settings);
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    change(settings).forEach(connection, row -> before.put(row.getString(1), row.getString(2)));
    return before;
  }

  /** Parameters: names, values. */
  private static final String PUT_BACK =
      """
      SELECT set_config(w.name, w.value, false)
      FROM unnest(?::text[], ?::text[]) AS w (name, value)
      """;

  public Sql putBack(Map<String, ? extends @Nullable String> before) {
    return withSettings(PUT_BACK, before);
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before)
      throws SQLException {
    putBack(before).run(connection);
  }

  @Override
  public @Nullable String sessionFault(Connection held, DataSource others) throws SQLException {
    return PooledPostgresDialect.fault(held, others);
  }

  private static Sql withSettings(String text, Map<String, ? extends @Nullable String> settings) {
    return Sql.of(
        text,
        new ArrayValue("text", new ArrayList<>(settings.keySet())),
        new ArrayValue("text", new ArrayList<>(settings.values())));
  }

  @Override
  public boolean isLockTimeout(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return DEADLOCK.equals(e.getSQLState());
  }

  private static final String CAN_COMMIT = "SELECT 1";

  /**
   * After an error the server takes no statement and rolls back instead of committing, which
   * drivers need not tell. Costs no statement with PostgreSQL's own driver.
   */
  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return () -> {
      if (!PostgresDriver.canCommit(connection)) {
        Sql.of(CAN_COMMIT).run(connection);
      }
    };
  }
}
