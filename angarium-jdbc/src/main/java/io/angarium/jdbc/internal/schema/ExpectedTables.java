package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.catalogue.ColumnKind;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.settings.SchemaFeature;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tables and columns that the statements use. */
public final class ExpectedTables {
  /** What the database fills in itself, and what only an operator does. */
  private static final List<String> BESIDES = List.of("id", "created_at", "updated_by");

  /** Columns of every database by what follows the prefix in the table's name, by feature. */
  private static final Map<SchemaFeature, Map<String, Set<String>>> TABLES = tables();

  private ExpectedTables() {}

  private static Map<SchemaFeature, Map<String, Set<String>>> tables() {
    Map<SchemaFeature, Map<String, Set<String>>> tables = new EnumMap<>(SchemaFeature.class);
    tables.put(SchemaFeature.OUTBOX, outbox());
    tables.put(
        SchemaFeature.MARKER,
        Map.of("_marker", Set.of("marker_type", "marker_key", "outcome", "created_at")));
    tables.put(SchemaFeature.HALF, halfTables());
    Map<String, Set<String>> confirmation = new LinkedHashMap<>();
    confirmation.put("_unconfirmed", unconfirmed());
    confirmation.put("_receipt", Set.of("message_id", "received_at"));
    tables.put(SchemaFeature.CONFIRMATION, confirmation);
    tables.put(
        SchemaFeature.RECONCILIATION,
        Map.of("_task", Set.of("task", "token", "leased_until", "done_until")));
    return tables;
  }

  private static Map<String, Set<String>> outbox() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    tables.put("", message());
    tables.put("_delayed", message("due_at"));
    tables.put(
        "_parked", message("key_hash", "head", "due_at", "attempts", "last_error", "attempted_at"));
    tables.put("_dead", message("key_hash", "blocks_key", "attempts", "reason", "dead_since"));
    tables.put("_sent", message("attempts", "sent_at"));
    tables.put("_dedup", Set.of("business_type", "business_key", "message_id", "created_at"));
    tables.put("_node", Set.of("node", "incarnation", "expires_at", "taking_part"));
    tables.put("_lease", Set.of("partition_no", "node", "incarnation", "epoch"));
    tables.put("_schema", Set.of("one", "version", "partitions_keyed", "partitions_keyless"));
    return tables;
  }

  private static Map<String, Set<String>> halfTables() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    tables.put("_half", half());
    tables.put("_half_check", halfCheck());
    tables.put("_half_audit", halfAudit());
    tables.put(
        "_intake_topic", Set.of("topic", "only_marked", "enabled", "registered_by", "created_at"));
    tables.put("_half_alert", Set.of("id", "due_at"));
    return tables;
  }

  private static Set<String> unconfirmed() {
    Set<String> columns = message("due_at", "sent_at", "sends");
    columns.remove("updated_by");
    return columns;
  }

  private static Set<String> half() {
    Set<String> columns = message("half_id", "half_business", "half_key", "state", "decided_at");
    columns.addAll(List.of("not_before", "delay_millis", "payload_bytes", "check_back"));
    columns.remove("updated_by");
    return columns;
  }

  private static Set<String> halfCheck() {
    return Set.of(
        "id", "next_at", "checks", "unreachable", "verdict", "last_error", "checked_at", "version");
  }

  private static Set<String> halfAudit() {
    return Set.of(
        "id",
        "half_id",
        "half_business",
        "half_key",
        "acted_at",
        "acted_by",
        "step",
        "reason",
        "state_before",
        "state_after");
  }

  private static Set<String> message(String... more) {
    Set<String> columns = new TreeSet<>(BESIDES);
    MessageColumn.ALL.forEach(column -> columns.add(column.toString()));
    columns.addAll(List.of(more));
    return columns;
  }

  /** What follows the prefix in the names of a feature's tables. */
  public static Set<String> of(SchemaFeature feature) {
    return TABLES.getOrDefault(feature, Map.of()).keySet();
  }

  /**
   * Tables and columns of a feature that are missing or of a wrong type.
   *
   * @param dialect knows the names, and columns that only its database has
   */
  static List<String> faults(SchemaFeature feature, FoundTables found, Dialect dialect) {
    List<String> faults = new ArrayList<>();
    String scripts = "the scripts of " + FeatureScripts.folder(feature, dialect);
    TABLES
        .getOrDefault(feature, Map.of())
        .forEach(
            (suffix, columns) -> {
              String table = "table " + dialect.names().shown(suffix);
              if (!found.has(suffix)) {
                faults.add(table + ": missing (expected: created by " + scripts + "); run them");
                return;
              }
              Set<String> expected = new TreeSet<>(columns);
              expected.addAll(dialect.schema().ownColumns().getOrDefault(suffix, Set.of()));
              addColumnFaults(faults, table, expected, found.columns(suffix), scripts);
            });
    return faults;
  }

  private static void addColumnFaults(
      List<String> faults,
      String table,
      Set<String> columns,
      Map<String, Integer> found,
      String scripts) {
    for (String column : columns) {
      @Nullable Integer type = found.get(column);
      ColumnKind kind = ColumnKind.of(column);
      if (type == null || !kind.fits(type)) {
        faults.add(
            "%s, column %s: %s (expected: as in %s); compare the table with them"
                .formatted(
                    table, column, type == null ? "missing" : "no type for " + kind, scripts));
      }
    }
  }
}
