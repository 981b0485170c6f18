package io.angarium.jdbc.internal.retention;

import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Statements that delete old rows by their keys. The retention runs them only after the database
 * has refused to delete many rows at once. Thread-safe.
 */
public final class OldRowsDialect {
  /** The most rows in one statement. */
  static final int ROWS_MAX = 500;

  /** What has rows that grow old. */
  public enum Kind {
    SENT("sent_at"),
    BUSINESS_KEYS("created_at"),
    MARKERS("created_at"),
    DISCARDED("discarded_at");

    private final String time;

    Kind(String time) {
      this.time = time;
    }
  }

  /** A key column, the way to read it as text, and the way to turn that text back. */
  private record Column(String name, String read, String bound) {
    static Column of(String name) {
      return new Column(name, name, "?");
    }

    String equal() {
      return name + " = " + bound;
    }
  }

  private final Kind kind;
  private final TableNames names;
  private final ClockDialect clock;
  private final List<Column> key;

  public OldRowsDialect(Dialect server, Kind kind) {
    this.kind = kind;
    this.names = server.names();
    this.clock = ClockDialect.of(server);
    this.key =
        switch (kind) {
          case SENT, DISCARDED -> placeKey();
          case BUSINESS_KEYS ->
              clock == ClockDialect.MYSQL
                  ? columns("stripe", "business_type", "business_key")
                  : columns("business_type", "business_key");
          case MARKERS -> columns("marker_type", "marker_key");
        };
  }

  private static List<Column> columns(String... names) {
    return List.of(names).stream().map(Column::of).toList();
  }

  /**
   * The history has a primary key on MySQL and MariaDB only; elsewhere the place of a row is it.
   * Discarded messages have the columns of that key, too.
   */
  private List<Column> placeKey() {
    return switch (clock) {
      case POSTGRESQL -> List.of(new Column("ctid", "ctid", "CAST(? AS tid)"));
      case MYSQL ->
          List.of(
              new Column(
                  kind.time, "CAST(%s AS CHAR)".formatted(kind.time), "CAST(? AS DATETIME(6))"),
              Column.of("id"),
              Column.of("partition_no"));
      case H2 -> List.of(new Column("_ROWID_", "_ROWID_", "CAST(? AS BIGINT)"));
    };
  }

  private String table() {
    return switch (kind) {
      case SENT -> clock == ClockDialect.POSTGRESQL ? "outbox_sent_default" : "outbox_sent";
      case BUSINESS_KEYS -> "outbox_dedup";
      case MARKERS -> "outbox_marker";
      case DISCARDED -> "outbox_discarded";
    };
  }

  /** Locks nothing. Parameters: age, limit. */
  private static final String OLD =
      """
      SELECT :key
      FROM :table
      WHERE :time < :earlier
      :order
      LIMIT ?
      """;

  /**
   * Reads the keys of old rows, the oldest first where an index tells.
   *
   * @param limit of how many
   */
  public Sql old(Duration age, int limit) {
    String columns = key.stream().map(Column::read).collect(Collectors.joining(", "));
    String order = isOrdered() ? "ORDER BY :time\n" : "";
    String text = OLD.replace(":key", columns).replace(":order\n", order);
    return Sql.of(in(text), clock.scaled(age), limit);
  }

  /** False without an index that has the order, as each page would sort the whole table. */
  private boolean isOrdered() {
    return switch (kind) {
      case SENT -> clock != ClockDialect.POSTGRESQL; // whose rows lie in this order
      case BUSINESS_KEYS -> clock == ClockDialect.MYSQL;
      case MARKERS, DISCARDED -> true;
    };
  }

  /** Reads a key. */
  Sql.RowReader<OldRow> key() {
    return row -> {
      List<String> values = new ArrayList<>();
      for (int column = 1; column <= key.size(); column++) {
        values.add(String.valueOf(row.getString(column)));
      }
      return new OldRow(values);
    };
  }

  /** A key may belong to a newer row by now. Parameters: age, keys. */
  private static final String DELETE =
      """
      DELETE FROM :table
      WHERE :time < :earlier
        AND ({(:key)| OR })
      """;

  public Sql delete(Duration age, List<OldRow> rows) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.scaled(age));
    rows.forEach(row -> parameters.addAll(row.key()));
    String columns = key.stream().map(Column::equal).collect(Collectors.joining(" AND "));
    return new Sql(Repeated.times(in(DELETE.replace(":key", columns)), rows.size()), parameters);
  }

  /** Deletes the oldest rows, by their keys. */
  public int deleteOldest(Connection connection, Duration age) throws SQLException {
    List<OldRow> rows = old(age, ROWS_MAX).query(connection, key());
    return rows.isEmpty() ? 0 : delete(age, rows).update(connection);
  }

  private String in(String text) {
    return names.in(clock.in(text.replace(":table", table()).replace(":time", kind.time)));
  }
}
