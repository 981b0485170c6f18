package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.jdbc.internal.dialect.SchemaSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.OtherServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;

/** Creation, version and identity of the tables on PostgreSQL, and the faults of the server. */
public final class PostgresSchemaSql implements SchemaSql {
  private static final int VERSION_MIN = 13;

  private final TableNames names;

  PostgresSchemaSql(TableNames names) {
    this.names = names;
  }

  @Override
  public TableNames names() {
    return names;
  }

  /** A row for which there is no partition is refused, and the retention names this one. */
  @Override
  public Set<String> historyTables() {
    return Set.of("_sent_default");
  }

  @Override
  public void lockForCreate(Connection connection) throws SQLException {
    Sql.of("SELECT pg_advisory_xact_lock(4703015318722642)").run(connection);
  }

  @Override
  public String describeServer(Connection connection) throws SQLException {
    String version = Sql.of("SELECT version()").query(connection, row -> row.getString(1)).get(0);
    if (OtherServer.of(version) != null) {
      return version; // whose catalogue may be another
    }
    List<String> writers =
        Sql.of(
                """
                SELECT extname FROM pg_catalog.pg_extension
                WHERE extname IN ('bdr', 'pgactive', 'spock')
                """)
            .query(connection, row -> row.getString(1));
    return writers.isEmpty() ? version : version + " with " + String.join(", ", writers);
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    return version >= VERSION_MIN
        ? List.of()
        : List.of("PostgreSQL: " + version + " (expected: " + VERSION_MIN + " or newer)");
  }

  /** By way of JSON: tables of an earlier version have no such column, which fails otherwise. */
  private static final String SOURCE =
      """
      SELECT (SELECT (to_jsonb(s) ->> 'source')::uuid FROM outbox_schema AS s)
      """;

  @Override
  public Sql source() {
    return Sql.of(names.in(SOURCE));
  }

  /** The cluster and its timeline, which begins anew with each promotion and each restore. */
  private static final String SERVER =
      """
      SELECT
        CASE WHEN pg_is_in_recovery() THEN NULL ELSE
          (SELECT system_identifier FROM pg_control_system())
            || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        END,
        NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
      """;

  @Override
  public Sql server() {
    return Sql.of(SERVER);
  }

  @Override
  public Sql sourceAndServer() {
    return Sql.of(
        SERVER.replaceFirst("SELECT", Matcher.quoteReplacement(source().text().strip() + ",")));
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT INTO outbox_schema (version, source) VALUES (1, ?) ON CONFLICT DO NOTHING
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), source);
  }
}
