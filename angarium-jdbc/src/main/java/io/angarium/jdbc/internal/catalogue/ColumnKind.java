package io.angarium.jdbc.internal.catalogue;

import java.sql.Types;
import java.util.Set;
import java.util.regex.Pattern;

/** What sort of values a column holds, whatever each database calls the type. */
public enum ColumnKind {
  NUMBER,
  FRACTION,
  TRUTH,
  TEXT,
  BYTES,
  TIME,
  ID;

  private static final Pattern COUNTED =
      Pattern.compile("minute_no|sent|failed|refused|unavailable|dead|delay_\\d+");

  /** True if a column of this JDBC type can hold such values. */
  public boolean fits(int jdbcType) {
    return types().contains(jdbcType);
  }

  private Set<Integer> types() {
    return switch (this) {
      case NUMBER ->
          Set.of(
              Types.TINYINT,
              Types.SMALLINT,
              Types.INTEGER,
              Types.BIGINT,
              Types.NUMERIC,
              Types.DECIMAL);
      case FRACTION -> Set.of(Types.DOUBLE, Types.FLOAT, Types.REAL);
      case TRUTH -> Set.of(Types.BIT, Types.BOOLEAN, Types.TINYINT);
      case TEXT -> Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NVARCHAR, Types.CLOB);
      case BYTES -> Set.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB);
      case TIME -> Set.of(Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE);
      case ID -> Set.of(Types.OTHER, Types.BINARY, Types.VARBINARY);
    };
  }

  /** The kind of the column of this name, the same in every table. */
  public static ColumnKind of(String column) {
    if (COUNTED.matcher(column).matches()) {
      return NUMBER;
    }
    return switch (column) {
      case "id",
          "partition_no",
          "key_hash",
          "attempts",
          "sends",
          "token",
          "done_until",
          "epoch",
          "version",
          "consumer" ->
          NUMBER;
      case "partitions_keyed", "partitions_keyless", "stripe", "payload_bytes", "delay_millis" ->
          NUMBER;
      case "checks", "unreachable", "next_id", "episode", "pauses" -> NUMBER;
      case "from_millis", "to_millis", "produced", "consumed" -> NUMBER;
      case "missing", "unexpected", "repeated", "sent_again" -> NUMBER;
      case "rate", "first_few", "messages_max", "scanned", "done", "not_found", "nr" -> NUMBER;
      case "alert_value" -> FRACTION;
      case "agrees", "keys_complete" -> TRUTH;
      case "head", "blocks_key", "taking_part", "one", "only_marked", "enabled" -> TRUTH;
      case "created_at", "due_at", "attempted_at", "sent_at", "dead_since" -> TIME;
      case "expires_at", "leased_until", "received_at", "decided_at", "not_before" -> TIME;
      case "next_at", "checked_at", "acted_at", "discarded_at" -> TIME;
      case "processed_at", "rotated_at" -> TIME;
      case "since", "absent_since", "resolved_at", "taken_at" -> TIME;
      case "start_at", "ended_at" -> TIME;
      case "told_at", "from_at", "until_at", "applied_at", "compared_at", "repaired_at" -> TIME;
      case "message_id", "incarnation", "half_id", "operation_id", "undoes" -> ID;
      case "payload" -> BYTES;
      default -> TEXT;
    };
  }
}
