package io.angarium.jdbc.internal.schema;

import io.angarium.board.DelayBuckets;
import io.angarium.jdbc.internal.catalogue.ColumnKind;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.TableNames;
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
    tables.put(SchemaFeature.CONSOLE, console());
    tables.put(SchemaFeature.ALERT, alert());
    tables.put(SchemaFeature.BOARD, board());
    tables.put(SchemaFeature.REPORT, Map.of("_report", report()));
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

  private static Map<String, Set<String>> console() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    Set<String> discarded = message("key_hash", "blocks_key", "attempts", "reason", "dead_since");
    discarded.addAll(List.of("discarded_at", "discarded_by", "why", "operation_id"));
    discarded.addAll(List.of("was", "due_at", "next_id"));
    tables.put("_discarded", discarded);
    Set<String> audit = new TreeSet<>(List.of("id", "acted_at", "acted_by", "via", "act"));
    audit.addAll(List.of("target_kind", "target", "reason", "operation_id", "details"));
    tables.put("_audit", audit);
    tables.put("_control", Set.of("one", "pauses"));
    Set<String> pause = new TreeSet<>(List.of("id", "version", "destination", "since"));
    pause.addAll(List.of("until_at", "paused_by", "reason"));
    tables.put("_pause", pause);
    tables.put("_pause_applied", Set.of("incarnation", "node", "version", "applied_at"));
    tables.put("_operation", operation());
    tables.put("_operation_refusal", Set.of("operation_id", "nr", "message_id", "reason"));
    return tables;
  }

  private static Set<String> operation() {
    Set<String> columns = new TreeSet<>(List.of("operation_id", "kind", "state", "filter"));
    columns.addAll(List.of("scope", "undoes", "until_at", "created_at", "created_by", "via"));
    columns.addAll(List.of("reason", "start_at", "rate", "first_few", "messages_max"));
    columns.addAll(List.of("cursor_text", "scanned", "done", "not_found", "refused"));
    columns.addAll(List.of("ended_at", "halt", "token", "node", "leased_until"));
    return columns;
  }

  private static Map<String, Set<String>> alert() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    Set<String> alert = new TreeSet<>(List.of("rule", "subject", "state", "severity"));
    alert.addAll(List.of("alert_value", "alert_text", "episode", "since", "absent_since"));
    alert.addAll(List.of("resolved_at", "taken_by", "taken_at", "note"));
    tables.put("_alert", alert);
    Set<String> notice = new TreeSet<>(List.of("rule", "subject", "channel", "what", "episode"));
    notice.addAll(List.of("severity", "told_at", "failure"));
    tables.put("_alert_notice", notice);
    Set<String> silence = new TreeSet<>(List.of("id", "rule", "subject", "from_at", "until_at"));
    silence.addAll(List.of("created_by", "reason"));
    tables.put("_silence", silence);
    tables.put("_alert_turn", Set.of("one", "token", "node", "leased_until"));
    return tables;
  }

  private static Map<String, Set<String>> board() {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    tables.put("_status", Set.of("incarnation", "node", "told_at", "status"));
    Set<String> minute = new TreeSet<>(List.of("minute_no", "incarnation", "destination"));
    minute.addAll(List.of("sent", "failed", "refused", "unavailable", "dead"));
    for (int i = 0; i < DelayBuckets.COUNT; i++) {
      minute.add("delay_" + i);
    }
    tables.put("_minute", minute);
    return tables;
  }

  private static Set<String> report() {
    Set<String> report = new TreeSet<>(List.of("id", "task", "destination", "compared_at"));
    report.addAll(List.of("from_millis", "to_millis", "produced", "consumed", "missing"));
    report.addAll(List.of("unexpected", "repeated", "agrees", "keys_complete", "report_keys"));
    report.addAll(List.of("repaired_at", "repaired_by", "repair_reason", "sent_again"));
    return report;
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
   * Lists columns of a feature's tables that are missing or of a wrong type. Says nothing of tables
   * that are missing.
   *
   * @param dialect knows the names, and columns that only its database has
   */
  static List<String> columnFaults(SchemaFeature feature, FoundTables found, Dialect dialect) {
    Map<String, Set<String>> tables = new LinkedHashMap<>();
    TABLES
        .getOrDefault(feature, Map.of())
        .forEach(
            (suffix, columns) -> {
              Set<String> expected = new TreeSet<>(columns);
              expected.addAll(dialect.schema().ownColumns().getOrDefault(suffix, Set.of()));
              tables.put(suffix, expected);
            });
    return columnFaults(tables, found, dialect.names(), FeatureScripts.folder(feature, dialect));
  }

  /**
   * Lists columns that are missing or of a wrong type. Says nothing of tables that are missing.
   *
   * @param tables the expected columns by what follows the prefix in the table's name
   * @param folder of the scripts that create the tables
   */
  public static List<String> columnFaults(
      Map<String, Set<String>> tables, FoundTables found, TableNames names, String folder) {
    List<String> faults = new ArrayList<>();
    tables.forEach(
        (suffix, columns) -> {
          if (found.has(suffix)) {
            String table = "table " + names.shown(suffix);
            addColumnFaults(faults, table, columns, found.columns(suffix), folder);
          }
        });
    return faults;
  }

  private static void addColumnFaults(
      List<String> faults,
      String table,
      Set<String> columns,
      Map<String, Integer> found,
      String folder) {
    for (String column : columns) {
      @Nullable Integer type = found.get(column);
      ColumnKind kind = ColumnKind.of(column);
      if (type == null || !kind.fits(type)) {
        faults.add(
            "%s, column %s: %s (expected: as in the scripts of %s); compare the table with them"
                .formatted(
                    table, column, type == null ? "missing" : "no type for " + kind, folder));
      }
    }
  }
}
