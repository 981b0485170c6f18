package io.angarium.jdbc.internal.catalogue;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What H2's catalogue says about the tables. Thread-safe. */
public final class H2TableDialect implements TableDialect {
  private static final int NOT_PERMITTED = 90096;

  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("", "id"),
          Map.entry("_delayed", "id"),
          Map.entry("_parked", "partition_no,id"),
          Map.entry("_dead", "id,partition_no"),
          Map.entry("_dedup", "business_type,business_key"),
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
      Map.of("", "consumer,message_id", "_schema", "one");

  /** Names in capitals or not, as the database stores them. Parameters: schema, name. */
  private static final String ATTRIBUTES =
      """
      SELECT
        t.TABLE_NAME,
        t.TABLE_TYPE,
        t.STORAGE_TYPE,
        (
          SELECT LISTAGG(LOWER(k.COLUMN_NAME), ',') WITHIN GROUP (ORDER BY k.ORDINAL_POSITION)
          FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c
          JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
            ON k.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = c.CONSTRAINT_NAME
          WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA
            AND c.TABLE_NAME = t.TABLE_NAME
            AND c.CONSTRAINT_TYPE = 'PRIMARY KEY'),
        (
          SELECT CASE
            WHEN c.IS_IDENTITY = 'YES' THEN 'IDENTITY ' || c.IDENTITY_INCREMENT
            ELSE c.COLUMN_DEFAULT
          END
          FROM INFORMATION_SCHEMA.COLUMNS AS c
          WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA
            AND c.TABLE_NAME = t.TABLE_NAME
            AND LOWER(c.COLUMN_NAME) = 'id'),
        EXISTS (
          SELECT 1
          FROM INFORMATION_SCHEMA.INDEX_COLUMNS AS k
          WHERE k.TABLE_SCHEMA = t.TABLE_SCHEMA
            AND k.TABLE_NAME = t.TABLE_NAME
            AND k.IS_UNIQUE
          GROUP BY k.INDEX_SCHEMA, k.INDEX_NAME
          HAVING COUNT(*) = 1 AND MIN(LOWER(k.COLUMN_NAME)) = 'half_id')
      FROM INFORMATION_SCHEMA.TABLES AS t
      WHERE t.TABLE_SCHEMA = ?
      """;

  /** Parameters: schema. */
  private static final String SEQUENCES =
      """
      SELECT SEQUENCE_NAME, INCREMENT, CYCLE_OPTION
      FROM INFORMATION_SCHEMA.SEQUENCES
      WHERE SEQUENCE_SCHEMA = ?
      """;

  private static final Map<Right, String> USES =
      Map.of(
          Right.SELECT, "SELECT %2$s FROM %1$s WHERE FALSE",
          Right.INSERT, "INSERT INTO %1$s (%2$s) SELECT NULL WHERE FALSE",
          Right.UPDATE, "UPDATE %1$s SET %2$s = %2$s WHERE FALSE",
          Right.DELETE, "DELETE FROM %1$s WHERE FALSE");

  private final TableNames names;

  public H2TableDialect(TableNames names) {
    this.names = names;
  }

  @Override
  public List<String> faults(
      Connection connection, Tables of, Collection<String> suffixes, Set<String> acceptedTriggers)
      throws SQLException {
    List<String> faults = new ArrayList<>();
    Sql.of(ATTRIBUTES, names.schema())
        .forEach(
            connection,
            row -> {
              String name = row.getString(1).toLowerCase(Locale.ROOT);
              String suffix =
                  name.startsWith(names.prefix()) ? name.substring(names.prefix().length()) : "?";
              if (suffixes.contains(suffix)) {
                addKindFault(faults, suffix, row.getString(2), row.getString(3));
                addKeyFault(faults, of, suffix, row.getString(4));
                if (of == Tables.OUTBOX) {
                  addNumberFault(faults, suffix, row.getString(5));
                  addUniqueFault(faults, suffix, row.getBoolean(6));
                }
              }
            });
    if (of == Tables.OUTBOX && suffixes.contains("")) {
      Sql.of(SEQUENCES, names.schema())
          .forEach(
              connection,
              row -> {
                if (row.getString(1).equalsIgnoreCase(names.prefix() + "_seq")
                    && (row.getLong(2) != 1 || row.getString(3).equals("YES"))) {
                  faults.add(
                      "sequence %s: INCREMENT BY %d, CYCLE %s (expected: INCREMENT BY 1 NO CYCLE, or keys lose their order); ALTER SEQUENCE %1$s INCREMENT BY 1 NO CYCLE"
                          .formatted(names.shown("_seq"), row.getLong(2), row.getString(3)));
                }
              });
    }
    return faults;
  }

  private void addKindFault(List<String> faults, String suffix, String type, String storage) {
    if (!type.equals("BASE TABLE") || storage.equals("TABLE LINK")) {
      faults.add(
          "table %s: %s (expected: a plain table); create it by the scripts"
              .formatted(names.shown(suffix), type.equals("BASE TABLE") ? storage : type));
    }
  }

  private void addUniqueFault(List<String> faults, String suffix, boolean unique) {
    if (suffix.equals("_half") && !unique) {
      faults.add(
          "table %s: half_id is not unique (expected: as in the scripts, or a repeated call stores a message twice); ALTER TABLE %1$s ADD UNIQUE (half_id)"
              .formatted(names.shown(suffix)));
    }
  }

  private void addKeyFault(List<String> faults, Tables of, String suffix, @Nullable String key) {
    @Nullable String expected = (of == Tables.INBOX ? INBOX_KEYS : KEYS).get(suffix);
    if (expected != null && !expected.equals(key)) {
      faults.add(
          "table %s: %s (expected: primary key (%s)); %sALTER TABLE %1$s ADD PRIMARY KEY (%3$s)"
              .formatted(
                  names.shown(suffix),
                  key == null ? "no primary key" : "primary key (" + key + ")",
                  expected,
                  key == null ? "" : "drop that key, then "));
    }
  }

  private void addNumberFault(List<String> faults, String suffix, @Nullable String number) {
    if (suffix.isEmpty() && !isNext(number)) {
      faults.add(
          "table %s: the default of the column id is %s (expected: NEXT VALUE FOR %s); ALTER TABLE %1$s ALTER COLUMN id SET DEFAULT NEXT VALUE FOR %3$s"
              .formatted(names.shown(suffix), number, names.shown("_seq")));
    }
    if ((suffix.equals("_delayed") || suffix.equals("_half")) && !"IDENTITY 1".equals(number)) {
      faults.add(
          "table %s: the column id is %s (expected: an identity that counts up by 1); create the table by the scripts"
              .formatted(names.shown(suffix), number));
    }
  }

  private boolean isNext(@Nullable String number) {
    return number != null
        && number
            .toLowerCase(Locale.ROOT)
            .matches("next value for .*\\b" + names.prefix() + "_seq\"?");
  }

  @Override
  public List<String> missingRights(Connection connection, Collection<Need> needs)
      throws SQLException {
    List<String> faults = new ArrayList<>();
    for (Need need : needs) {
      String table = names.table(need.suffix());
      for (Right right : Right.values()) {
        String use = USES.getOrDefault(right, "").formatted(table, need.column());
        if (need.rights().contains(right) && isDenied(connection, use)) {
          String shown = names.shown(need.suffix());
          String account = connection.getMetaData().getUserName();
          faults.add(
              TableDialect.missing(
                  shown, right.name(), "GRANT %s ON %s TO %s".formatted(right, shown, account)));
        }
      }
    }
    return faults;
  }

  private static boolean isDenied(Connection connection, String use) {
    try {
      Sql.of(use).run(connection);
      return false;
    } catch (SQLException e) {
      return e.getErrorCode() == NOT_PERMITTED;
    }
  }
}
