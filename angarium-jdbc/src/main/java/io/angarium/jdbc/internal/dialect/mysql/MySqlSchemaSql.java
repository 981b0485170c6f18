package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.StoreException;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.dialect.SchemaSql;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.Versions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;

/**
 * Creation, version and identity of the tables on MySQL and MariaDB, and the faults of the server.
 */
public final class MySqlSchemaSql implements SchemaSql {
  private static final int DUPLICATE_COLUMN = 1060;
  private static final int DUPLICATE_INDEX = 1061;
  private static final int TOO_BIG_SELECT = 1104;
  private static final Duration CREATE_WAIT = Duration.ofSeconds(60);

  private final TableNames names;
  private final MySqlVariant variant;

  MySqlSchemaSql(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public Map<String, Set<String>> ownColumns() {
    return Map.of("", Set.of("payload_bytes"), "_dedup", Set.of("stripe"));
  }

  @Override
  public void lockForCreate(Connection connection) throws SQLException {
    lockForCreate(connection, CREATE_WAIT);
  }

  public static void lockForCreate(Connection connection, Duration wait) throws SQLException {
    List<Integer> locked =
        Sql.of("SELECT GET_LOCK('angarium schema', ?)", wait.toSeconds())
            .query(connection, row -> row.getInt(1));
    if (locked.get(0) != 1) {
      throw new StoreException(
          "Another session has held the lock 'angarium schema' for "
              + DurationText.of(wait)
              + " (expected: another node that creates tables, and ends soon); find it by SELECT"
              + " IS_USED_LOCK('angarium schema')",
          null);
    }
  }

  @Override
  public void unlockAfterCreate(Connection connection) throws SQLException {
    Sql.of("DO RELEASE_LOCK('angarium schema')").run(connection);
  }

  // DDL is no part of a transaction here, and MySQL does not know IF NOT EXISTS for columns
  @Override
  public boolean isAlreadyThere(SQLException e) {
    return e.getErrorCode() == DUPLICATE_COLUMN || e.getErrorCode() == DUPLICATE_INDEX;
  }

  @Override
  public String describeServer(Connection connection) throws SQLException {
    Map<String, String> variables = new HashMap<>();
    try {
      Sql.of(
              """
              SHOW GLOBAL VARIABLES
              WHERE Variable_name IN ('version', 'version_comment', 'wsrep_on', 'wsrep_provider',
                'group_replication_group_name', 'group_replication_single_primary_mode')
              """)
          .forEach(connection, row -> variables.put(row.getString(1), row.getString(2)));
    } catch (SQLException e) {
      if (e.getErrorCode() != TOO_BIG_SELECT) {
        throw e;
      }
      return variant.database(); // serverFaults names the limit
    }
    return describe(variables);
  }

  /** Percona XtraDB Cluster has wsrep_on for sessions only; MariaDB has it always. */
  public static String describe(Map<String, String> variables) {
    String words = variables.get("version") + " " + variables.get("version_comment");
    String provider = variables.getOrDefault("wsrep_provider", "");
    if ("ON".equals(variables.getOrDefault("wsrep_on", "ON"))
        && !provider.isEmpty()
        && !provider.equals("none")) {
      words += " with Galera";
    }
    if ("OFF".equals(variables.get("group_replication_single_primary_mode"))
        && !variables.getOrDefault("group_replication_group_name", "").isEmpty()) {
      words += " with group replication";
    }
    return words;
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    List<String> faults = new ArrayList<>();
    LIMITS.forEach(connection, row -> addLimitFaults(faults, row));
    if (!faults.isEmpty()) {
      return faults; // other questions may be cut off or refused
    }
    String version = Sql.of("SELECT VERSION()").query(connection, row -> row.getString(1)).get(0);
    if (!Versions.atLeast(version, variant.versionMin())) {
      faults.add(
          variant.database()
              + ": "
              + version
              + " (expected: "
              + variant.versionMin()
              + " or newer)");
    }
    List<String> logged =
        Sql.of(
                """
                SHOW VARIABLES
                WHERE (Variable_name = 'log_bin' AND Value = 'ON')
                  OR (Variable_name = 'binlog_format' AND Value = 'STATEMENT')
                """)
            .query(connection, row -> row.getString(1));
    if (logged.size() == 2) {
      faults.add(
          "binlog_format: STATEMENT (expected: ROW or MIXED, as the relay works under READ"
              + " COMMITTED); change it in the server's configuration");
    }
    CHARACTER_SETS.forEach(connection, row -> addCharacterSetFault(faults, row));
    return faults;
  }

  private static final long SELECT_LIMIT_MIN = 10_000;
  private static final long JOIN_SIZE_MIN = 100_000;

  /** What a session refuses or cuts off; without UNION, which Druid's wall refuses here. */
  private static final Sql LIMITS =
      Sql.of(
          """
          SELECT @@SESSION.sql_select_limit, @@SESSION.max_join_size, @@SESSION.sql_big_selects
          """);

  private static void addLimitFaults(List<String> faults, ResultSet row) throws SQLException {
    addLimitFault(faults, "sql_select_limit", row.getString(1), SELECT_LIMIT_MIN);
    if (!row.getBoolean(3)) {
      addLimitFault(faults, "max_join_size", row.getString(2), JOIN_SIZE_MIN);
    }
  }

  private static void addLimitFault(List<String> faults, String name, String limit, long least) {
    if (Long.compareUnsigned(Long.parseUnsignedLong(limit), least) < 0) {
      faults.add(
          "%s: %s (expected: at least %d, or rows are left out or refused); take it out of sessionVariables in the URL, the pool's first statement, or the server's configuration"
              .formatted(name, limit, least));
    }
  }

  /** That of results is null if the server leaves them as they are. */
  private static final Sql CHARACTER_SETS =
      Sql.of(
          """
          SELECT 'character_set_client', @@character_set_client
          UNION ALL
          SELECT 'character_set_connection', @@character_set_connection
          UNION ALL
          SELECT 'character_set_results', COALESCE(@@character_set_results, 'utf8mb4')
          """);

  private static void addCharacterSetFault(List<String> faults, ResultSet row) throws SQLException {
    String set = row.getString(2);
    if (!"utf8mb4".equals(set)) {
      faults.add(
          row.getString(1)
              + ": "
              + set
              + " (expected: utf8mb4, or texts and keys are changed on their way); take"
              + " characterEncoding, connectionCollation, collation_connection and SET NAMES out of"
              + " the URL and the pool, or set them to UTF-8 and utf8mb4");
    }
  }

  @Override
  public Sql server() {
    return Sql.of(variant.server());
  }

  @Override
  public Sql sourceAndServer() {
    String source = Matcher.quoteReplacement(source().text().strip());
    return Sql.of(variant.server().replaceFirst("SELECT", source + ","));
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT IGNORE INTO outbox_schema (version, source) VALUES (1, ?)
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), (Object) BinaryIds.bytes(source));
  }
}
