package io.angarium.jdbc.internal.catalogue;

import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL's catalogue says about the tables. Thread-safe. */
public final class PostgresTableDialect implements TableDialect {
  /** Whose ids must rise in the order in which transactions take them. */
  private static final Set<String> NUMBERED = Set.of("", "_delayed", "_half");

  /** The primary keys of tables that others than the relay might have made without. */
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("", "partition_no, id"),
          Map.entry("_delayed", "id"),
          Map.entry("_parked", "partition_no, id"),
          Map.entry("_dead", "id, partition_no"),
          Map.entry("_dedup", "business_type, business_key"),
          Map.entry("_node", "incarnation"),
          Map.entry("_lease", "partition_no"),
          Map.entry("_schema", "one"),
          Map.entry("_marker", "marker_type, marker_key"),
          Map.entry("_half", "id"),
          Map.entry("_half_check", "id"),
          Map.entry("_half_alert", "id"),
          Map.entry("_unconfirmed", "message_id"),
          Map.entry("_receipt", "message_id"),
          Map.entry("_task", "task"),
          Map.entry("_discarded", "discarded_at, id, partition_no"),
          Map.entry("_audit", "id"));

  private static final Map<String, String> INBOX_KEYS =
      Map.of("", "consumer, message_id", "_previous", "consumer, message_id", "_schema", "one");

  /** Row triggers that run before the change may keep it from being made. */
  private static final String ATTRIBUTES =
      """
      SELECT
        c.relname,
        c.relkind::text,
        c.relpersistence::text,
        row_security_active(c.oid),
        getdatabaseencoding(),
        (
          SELECT string_agg(a.attname, ', ' ORDER BY k.nr)
          FROM pg_index AS i
          CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, nr)
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.attnum
          WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid AND k.nr <= i.indnkeyatts),
        (
          SELECT string_agg(t.tgname, ', ' ORDER BY t.tgname)
          FROM pg_trigger AS t
          WHERE t.tgrelid = c.oid
            AND NOT t.tgisinternal
            AND t.tgtype & 3 = 3
            AND t.tgenabled IN ('O', 'A')),
        (
          SELECT string_agg(r.rulename, ', ' ORDER BY r.rulename)
          FROM pg_rewrite AS r
          WHERE r.ev_class = c.oid
            AND r.is_instead
            AND r.ev_type <> '1'
            AND r.ev_enabled IN ('O', 'A')),
        (
          SELECT string_agg(a.attname, ', ' ORDER BY a.attname)
          FROM pg_attribute AS a
          JOIN pg_collation AS l ON l.oid = a.attcollation
          WHERE a.attrelid = c.oid AND NOT a.attisdropped AND NOT l.collisdeterministic),
        s.seqincrement,
        s.seqcache,
        s.seqcycle,
        x.expression,
        EXISTS (
          SELECT
          FROM pg_index AS i
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = c.oid
            AND i.indisunique
            AND i.indisvalid
            AND i.indpred IS NULL
            AND i.indnkeyatts = 1
            AND a.attname = 'half_id')
      FROM pg_class AS c
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL (
        SELECT q.seqincrement, q.seqcache, q.seqcycle
        FROM pg_attribute AS a
        JOIN pg_depend AS d
          ON d.refclassid = 'pg_class'::regclass
          AND d.refobjid = a.attrelid
          AND d.refobjsubid = a.attnum
          AND d.classid = 'pg_class'::regclass
          AND d.deptype IN ('a', 'i')
        JOIN pg_sequence AS q ON q.seqrelid = d.objid
        WHERE a.attrelid = c.oid
          AND a.attname = 'id'
          AND (a.attidentity <> '' OR a.atthasdef)) AS s ON true
      LEFT JOIN LATERAL (
        SELECT pg_get_expr(d.adbin, d.adrelid) AS expression
        FROM pg_attribute AS a
        JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        JOIN pg_attribute AS b ON b.attrelid = a.attrelid AND b.attname = 'id'
        WHERE a.attrelid = c.oid
          AND a.attname = 'xid'
          AND a.attnum < b.attnum) AS x ON true
      WHERE n.nspname = ? AND c.relname = ANY (?::text[])
      ORDER BY c.relname
      """;

  /** Rights on some columns count: careful people grant no others. */
  private static final String MISSING_RIGHTS =
      """
      SELECT w.name, w.wanted
      FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS w (name, wanted, nr)
      JOIN pg_class AS c ON c.relname = w.name
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = ?
        AND NOT CASE
          WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, w.wanted)
          WHEN w.wanted = 'DELETE' THEN has_table_privilege(c.oid, w.wanted)
          ELSE has_any_column_privilege(c.oid, w.wanted)
        END
      ORDER BY w.nr
      """;

  private final TableNames names;

  public PostgresTableDialect(TableNames names) {
    this.names = names;
  }

  @Override
  public List<String> faults(
      Connection connection, Tables of, Collection<String> suffixes, Set<String> acceptedTriggers)
      throws SQLException {
    List<String> tables = suffixes.stream().map(suffix -> names.prefix() + suffix).toList();
    Set<String> faults = new TreeSet<>(); // that of the encoding comes with each table
    Sql.of(ATTRIBUTES, names.schema(), new ArrayValue("text", List.copyOf(tables)))
        .forEach(connection, row -> addFaults(faults, of, acceptedTriggers, row));
    return List.copyOf(faults);
  }

  private void addFaults(Set<String> faults, Tables of, Set<String> acceptedTriggers, ResultSet row)
      throws SQLException {
    String suffix = row.getString(1).substring(names.prefix().length());
    String table = names.shown(suffix);
    addKindFaults(faults, of, suffix, row);
    if (!row.getString(5).equals("UTF8")) {
      faults.add(
          "database encoding: %s (expected: UTF8, as messages may have any text); create a database with ENCODING 'UTF8' and move the data to it"
              .formatted(row.getString(5)));
    }
    addSwallowingFaults(faults, table, row);
    addTriggerFaults(faults, of, table, row.getString(7), acceptedTriggers);
    String merging = row.getString(9);
    if (merging != null) {
      add(
          faults,
          table,
          "the collation of " + merging + " is not deterministic",
          "one that is, or different keys count as the same",
          "ALTER TABLE %s ALTER COLUMN %s TYPE text COLLATE \"C\""
              .formatted(table, merging.split(",", 2)[0]));
    }
    if (of == Tables.INBOX) {
      return;
    }
    if (suffix.equals("_half") && !row.getBoolean(14)) {
      add(
          faults,
          table,
          "half_id is not unique",
          "a unique key, or a repeated call stores a message twice",
          "ALTER TABLE " + table + " ADD UNIQUE (half_id)");
    }
    if (NUMBERED.contains(suffix)) {
      addSequenceFaults(faults, table, row);
    }
    if (suffix.isEmpty() && !"pg_current_xact_id()".equals(row.getString(13))) {
      add(
          faults,
          table,
          "the column xid is behind id or has another default than pg_current_xact_id()",
          "as in the scripts, or messages are passed over",
          "ALTER TABLE "
              + table
              + " ALTER COLUMN xid SET DEFAULT pg_current_xact_id(), or create the table by the"
              + " scripts and copy what it holds");
    }
  }

  private static void add(
      Set<String> faults, String table, String found, String expected, String mend) {
    faults.add("table %s: %s (expected: %s); %s".formatted(table, found, expected, mend));
  }

  private void addKindFaults(Set<String> faults, Tables of, String suffix, ResultSet row)
      throws SQLException {
    String table = names.shown(suffix);
    String kind = row.getString(2);
    if (!kind.equals("r") && !(kind.equals("p") && suffix.equals("_sent"))) {
      String found =
          switch (kind) {
            case "p" -> "a partitioned table";
            case "v", "m" -> "a view";
            case "f" -> "a foreign table";
            default -> "of kind " + kind;
          };
      add(faults, table, found, "a plain table", "create it by the scripts");
      return;
    }
    if (!row.getString(3).equals("p")) {
      boolean unlogged = row.getString(3).equals("u");
      add(
          faults,
          table,
          unlogged ? "UNLOGGED" : "temporary",
          "a table that outlives a crash",
          unlogged ? "ALTER TABLE " + table + " SET LOGGED" : "DROP TABLE " + table);
    }
    @Nullable String key = (of == Tables.INBOX ? INBOX_KEYS : KEYS).get(suffix);
    if (key != null && !key.equals(row.getString(6))) {
      add(
          faults,
          table,
          row.getString(6) == null ? "no primary key" : "primary key (" + row.getString(6) + ")",
          "primary key (" + key + ")",
          (row.getString(6) == null ? "" : "drop that key, then ")
              + "ALTER TABLE %s ADD PRIMARY KEY (%s)".formatted(table, key));
    }
  }

  private static void addSwallowingFaults(Set<String> faults, String table, ResultSet row)
      throws SQLException {
    if (row.getBoolean(4)) {
      add(
          faults,
          table,
          "row-level security hides rows from this account",
          "none, or messages stay unsent and rows are not deleted",
          "ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY, or grant the account BYPASSRLS");
    }
    String rules = row.getString(8);
    if (rules != null) {
      add(
          faults,
          table,
          "the rule " + rules + " does something else instead",
          "none",
          "DROP RULE " + rules.split(",", 2)[0] + " ON " + table);
    }
  }

  private static void addTriggerFaults(
      Set<String> faults,
      Tables of,
      String table,
      @Nullable String triggers,
      Set<String> accepted) {
    if (triggers == null) {
      return;
    }
    for (String trigger : triggers.split(", ", -1)) {
      if (!accepted.contains(trigger)) {
        add(
            faults,
            table,
            "the trigger " + trigger + " runs before each row and may swallow it",
            "none; an AFTER trigger cannot",
            "DROP TRIGGER "
                + trigger
                + " ON "
                + table
                + ", or name it in "
                + (of == Tables.INBOX ? "inbox" : "jdbc")
                + ".accepted-triggers if it never returns null");
      }
    }
  }

  private static void addSequenceFaults(Set<String> faults, String table, ResultSet row)
      throws SQLException {
    String alter = "ALTER TABLE " + table + " ALTER COLUMN id ";
    String order = ", or keys lose their order";
    long increment = row.getLong(10);
    if (row.wasNull()) {
      add(
          faults,
          table,
          "the column id has no sequence of its own",
          "one that counts up by 1",
          alter + "ADD GENERATED ALWAYS AS IDENTITY (CACHE 1), and raise it above the highest id");
      return;
    }
    if (increment != 1) {
      String found = "the sequence of id counts by " + increment;
      add(faults, table, found, "up by 1" + order, alter + "SET INCREMENT BY 1");
    }
    if (row.getLong(11) != 1) {
      String found = "the sequence of id has CACHE " + row.getLong(11);
      add(faults, table, found, "CACHE 1" + order, alter + "SET CACHE 1");
    }
    if (row.getBoolean(12)) {
      add(faults, table, "the sequence of id has CYCLE", "NO CYCLE", alter + "SET NO CYCLE");
    }
  }

  @Override
  public List<String> missingRights(Connection connection, Collection<Need> needs)
      throws SQLException {
    List<String> tables = new ArrayList<>();
    List<String> rights = new ArrayList<>();
    for (Need need : needs) {
      for (Right right : need.rights()) {
        tables.add(names.prefix() + need.suffix());
        rights.add(right.name());
      }
    }
    if (needs.contains(OF_RELAY.get(0))) { // every reader of the outbox compares it
      tables.add(names.prefix() + "_id_seq");
      rights.add(Right.SELECT.name());
    }
    String account = connection.getMetaData().getUserName();
    return Sql.of(
            MISSING_RIGHTS,
            new ArrayValue("text", List.copyOf(tables)),
            new ArrayValue("text", List.copyOf(rights)),
            names.schema())
        .query(connection, row -> missing(row.getString(1), row.getString(2), account));
  }

  private String missing(String name, String right, String account) {
    String table = names.shown(name.substring(names.prefix().length()));
    String sequence = name.endsWith("_seq") ? "SEQUENCE " : "";
    return TableDialect.missing(
        table, right, "GRANT %s ON %s%s TO %s".formatted(right, sequence, table, account));
  }
}
