package io.angarium.jdbc.internal.catalogue;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the catalogue of MySQL and MariaDB says about the tables. Thread-safe. */
public final class MySqlFamilyTableDialect implements TableDialect {
  /** MariaDB has the name of MySQL's, too. */
  private static final Set<String> COLLATIONS = Set.of("utf8mb4_0900_bin", "utf8mb4_nopad_bin");

  /** Access denied to a table, a column, a database. */
  private static final Set<Integer> DENIED = Set.of(1142, 1143, 1044);

  private static final Set<String> NUMBERED = Set.of("", "_delayed", "_half");

  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("", "id,partition_no"),
          Map.entry("_delayed", "id"),
          Map.entry("_parked", "partition_no,id"),
          Map.entry("_dead", "id,partition_no"),
          Map.entry("_dedup", "stripe,business_type,business_key"),
          Map.entry("_node", "incarnation"),
          Map.entry("_lease", "partition_no"),
          Map.entry("_schema", "one"),
          Map.entry("_marker", "marker_type,marker_key"),
          Map.entry("_half", "id"),
          Map.entry("_half_check", "id"),
          Map.entry("_half_alert", "id"),
          Map.entry("_unconfirmed", "message_id"),
          Map.entry("_receipt", "message_id"),
          Map.entry("_task", "task"),
          Map.entry("_discarded", "discarded_at,id,partition_no"),
          Map.entry("_audit", "id"));

  private static final Map<String, String> INBOX_KEYS =
      Map.of("", "consumer,message_id", "_previous", "consumer,message_id", "_schema", "one");

  /** The placeholder stands for as many question marks as there are tables. */
  private static final String TABLES =
      """
      SELECT TABLE_NAME, TABLE_TYPE, ENGINE
      FROM INFORMATION_SCHEMA.TABLES
      WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s)
      """;

  private static final String COLUMNS =
      """
      SELECT TABLE_NAME, COLUMN_NAME, COLLATION_NAME, EXTRA
      FROM INFORMATION_SCHEMA.COLUMNS
      WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (%s)
      ORDER BY TABLE_NAME, COLUMN_NAME
      """;

  /** And the unique key of half messages. */
  private static final String UNIQUE_KEYS =
      """
      SELECT TABLE_NAME, COLUMN_NAME, INDEX_NAME
      FROM INFORMATION_SCHEMA.STATISTICS
      WHERE TABLE_SCHEMA = ?
        AND TABLE_NAME IN (%s)
        AND NON_UNIQUE = 0
        AND INDEX_NAME IN ('PRIMARY', 'by_key')
      ORDER BY TABLE_NAME, SEQ_IN_INDEX
      """;

  /**
   * The global rights of the account, and its rights on the database and on tables, one row each.
   * Rights of its roles are missing. Parameters: the database, the account as the server quotes it.
   */
  private static final String GRANTS =
      """
      SELECT NULL, PRIVILEGE_TYPE
      FROM INFORMATION_SCHEMA.USER_PRIVILEGES
      WHERE GRANTEE = ?
      UNION ALL
      SELECT NULL, PRIVILEGE_TYPE
      FROM INFORMATION_SCHEMA.SCHEMA_PRIVILEGES
      WHERE GRANTEE = ? AND ? LIKE TABLE_SCHEMA
      UNION ALL
      SELECT TABLE_NAME, PRIVILEGE_TYPE
      FROM INFORMATION_SCHEMA.TABLE_PRIVILEGES
      WHERE GRANTEE = ? AND TABLE_SCHEMA = ?
      """;

  /** Explained only, which needs the same rights. Twice the table, or also a column. */
  private static final Map<Right, String> USES =
      Map.of(
          Right.SELECT, "EXPLAIN SELECT %2$s FROM %1$s LIMIT 1",
          Right.INSERT, "EXPLAIN INSERT INTO %1$s (%2$s) VALUES (NULL)",
          Right.UPDATE, "EXPLAIN UPDATE %1$s SET %2$s = %2$s LIMIT 1",
          Right.DELETE, "EXPLAIN DELETE FROM %1$s LIMIT 1");

  private final TableNames names;
  private final String collation;

  /**
   * @param collation that of the scripts
   */
  public MySqlFamilyTableDialect(TableNames names, String collation) {
    this.names = names;
    this.collation = collation;
  }

  @Override
  public List<String> faults(
      Connection connection, Tables of, Collection<String> suffixes, Set<String> acceptedTriggers)
      throws SQLException {
    List<String> faults = new ArrayList<>();
    about(TABLES, suffixes)
        .forEach(
            connection,
            row -> addKindFaults(faults, row.getString(1), row.getString(2), row.getString(3)));
    Map<String, String> keys = new LinkedHashMap<>();
    Map<String, String> unique = new LinkedHashMap<>();
    about(UNIQUE_KEYS, suffixes)
        .forEach(
            connection,
            row ->
                (row.getString(3).equals("PRIMARY") ? keys : unique)
                    .merge(
                        suffix(row.getString(1)),
                        row.getString(2).toLowerCase(Locale.ROOT),
                        (some, next) -> some + "," + next));
    Map<String, String> expected = of == Tables.INBOX ? INBOX_KEYS : KEYS;
    suffixes.forEach(suffix -> addKeyFault(faults, suffix, expected.get(suffix), keys.get(suffix)));
    if (suffixes.contains("_half") && !"half_id".equals(unique.get("_half"))) {
      faults.add(
          "table %s: no unique key by_key (half_id) (expected: as in the scripts, or a repeated call stores a message twice); ALTER TABLE %1$s ADD UNIQUE KEY by_key (half_id)"
              .formatted(names.shown("_half")));
    }
    addColumnFaults(connection, of, suffixes, faults);
    return faults;
  }

  private Sql about(String query, Collection<String> suffixes) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(names.schema());
    suffixes.forEach(suffix -> parameters.add(names.prefix() + suffix));
    String marks = "?" + ", ?".repeat(suffixes.size() - 1);
    return new Sql(query.formatted(marks), parameters);
  }

  private String suffix(String table) {
    return table.toLowerCase(Locale.ROOT).substring(names.prefix().length());
  }

  private void addKindFaults(
      List<String> faults, String name, String type, @Nullable String engine) {
    String table = names.shown(suffix(name));
    if (!type.equals("BASE TABLE")) {
      faults.add(
          "table %s: %s (expected: a plain table); create it by the scripts"
              .formatted(table, type));
    } else if (!"InnoDB".equalsIgnoreCase(engine)) {
      faults.add(
          "table %s: ENGINE=%s (expected: InnoDB, which has transactions); ALTER TABLE %1$s ENGINE=InnoDB"
              .formatted(table, engine));
    }
  }

  private void addKeyFault(
      List<String> faults, String suffix, @Nullable String expected, @Nullable String key) {
    if (expected != null && !expected.equals(key)) {
      faults.add(
          "table %s: %s (expected: primary key (%s)); ALTER TABLE %1$s %sADD PRIMARY KEY (%3$s)"
              .formatted(
                  names.shown(suffix),
                  key == null ? "no primary key" : "primary key (" + key + ")",
                  expected,
                  key == null ? "" : "DROP PRIMARY KEY, "));
    }
  }

  private void addColumnFaults(
      Connection connection, Tables of, Collection<String> suffixes, List<String> faults)
      throws SQLException {
    Map<String, Set<String>> merging = new TreeMap<>();
    about(COLUMNS, suffixes)
        .forEach(
            connection,
            row -> {
              String suffix = suffix(row.getString(1));
              String column = row.getString(2).toLowerCase(Locale.ROOT);
              String found = row.getString(3);
              if (found != null && !COLLATIONS.contains(found)) {
                merging.computeIfAbsent(suffix, s -> new TreeSet<>()).add(column + " " + found);
              }
              if (of == Tables.OUTBOX
                  && column.equals("id")
                  && NUMBERED.contains(suffix)
                  && !row.getString(4).toLowerCase(Locale.ROOT).contains("auto_increment")) {
                faults.add(
                    "table %s: the column id has no AUTO_INCREMENT (expected: as in the scripts); ALTER TABLE %1$s MODIFY id BIGINT NOT NULL AUTO_INCREMENT"
                        .formatted(names.shown(suffix)));
              }
            });
    merging.forEach(
        (suffix, columns) ->
            faults.add(
                "table %s: %s (expected: %s, or texts are changed and different keys count as the same); ALTER TABLE %1$s CONVERT TO CHARACTER SET utf8mb4 COLLATE %3$s"
                    .formatted(names.shown(suffix), String.join(", ", columns), collation)));
  }

  @Override
  public List<String> missingRights(Connection connection, Collection<Need> needs)
      throws SQLException {
    List<String> faults = new ArrayList<>();
    String account =
        Sql.of("SELECT CURRENT_USER()").query(connection, row -> row.getString(1)).get(0);
    int host = account.lastIndexOf('@');
    String quoted = "'%s'@'%s'".formatted(account.substring(0, host), account.substring(host + 1));
    Set<String> granted = granted(connection, quoted);
    for (Need need : needs) {
      String table = names.table(need.suffix());
      for (Right right : Right.values()) {
        if (granted.contains(right.name())
            || granted.contains(names.prefix() + need.suffix() + " " + right)) {
          continue;
        }
        String use = USES.getOrDefault(right, "").formatted(table, need.column());
        if (need.rights().contains(right) && isDenied(connection, use)) {
          String shown = names.shown(need.suffix());
          faults.add(
              TableDialect.missing(
                  shown, right.name(), "GRANT %s ON %s TO %s".formatted(right, shown, quoted)));
        }
      }
    }
    return faults;
  }

  /** Rights on all tables, and rights on single ones behind their names. */
  private Set<String> granted(Connection connection, String account) throws SQLException {
    String database = names.schema();
    Set<String> granted = new TreeSet<>();
    Sql.of(GRANTS, account, account, database, account, database)
        .forEach(
            connection,
            row ->
                granted.add(
                    row.getString(1) == null
                        ? row.getString(2)
                        : row.getString(1) + " " + row.getString(2)));
    return granted;
  }

  /** What else a server has against it, or a filter before it, tells nothing of rights. */
  private static boolean isDenied(Connection connection, String use) {
    try {
      Sql.of(use).query(connection, row -> "");
      return false;
    } catch (SQLException e) {
      return DENIED.contains(e.getErrorCode());
    }
  }
}
