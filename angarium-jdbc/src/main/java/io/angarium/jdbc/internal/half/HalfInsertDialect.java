package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfState;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlValues;
import io.angarium.jdbc.internal.dialect.postgres.PostgresInsertDialect;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The statements that add half messages, with only those columns that any of them has a value for:
 * every other one costs time, too. Thread-safe.
 */
public final class HalfInsertDialect {
  private static final String DUPLICATE = "23505";
  private static final int DUPLICATE_MYSQL = 1062;

  /** A column, and its type in an array on PostgreSQL. */
  private record Column(String name, String type) {}

  private static final List<Column> COLUMNS = columns();

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("half_id", "uuid"));
    columns.add(new Column("half_business", "text"));
    columns.add(new Column("half_key", "text"));
    columns.add(new Column("state", "text"));
    columns.add(new Column("not_before", "timestamptz"));
    columns.add(new Column("delay_millis", "int8"));
    columns.add(new Column("payload_bytes", "int4"));
    columns.add(new Column("check_back", "text"));
    MessageColumn.ALL.forEach(
        column -> columns.add(new Column(column.toString(), PostgresInsertDialect.type(column))));
    return List.copyOf(columns);
  }

  private final Dialect server;
  private final TableNames names;
  private final ClockDialect clock;
  private final Map<Shape, String> texts = new ConcurrentHashMap<>();

  HalfInsertDialect(Dialect server) {
    this.server = server;
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /** Rows of one kind: with a message, or decisions. Parameters: one per column of a row. */
  private static final String ADD =
      """
      INSERT INTO outbox_half (
        :columns, created_at, decided_at)
      VALUES {(:values, :now, :decided)|,
        }
      """;

  /** Arrays side by side are rows in their order. Parameters: one array per column. */
  private static final String ADD_ARRAYS =
      """
      INSERT INTO outbox_half (
        :columns, created_at, decided_at)
      SELECT
        :values, :now, :decided
      """;

  private static final String UNLESS_THERE_POSTGRES =
      """
      ON CONFLICT (half_id) DO NOTHING
      RETURNING half_id
      """;

  /** Not IGNORE, which would also ignore what does not fit. */
  private static final String UNLESS_THERE_MYSQL =
      """
      ON DUPLICATE KEY UPDATE half_id = half_id
      """;

  /**
   * Tells of each row what is there now, without an error for a repeat, which MariaDB's driver
   * would log as a warning.
   */
  private static final String UNLESS_THERE_MARIADB =
      UNLESS_THERE_MYSQL
          + """
          RETURNING half_id, message_id, state
          """;

  /** Adds rows of one kind. Rows whose key is there are left out; on H2 they end the statement. */
  public Sql add(List<HalfRow> rows) {
    return switch (clock) {
      case POSTGRESQL -> statement(rows.size() > 1 ? ADD_ARRAYS : ADD, UNLESS_THERE_POSTGRES, rows);
      case MYSQL -> statement(ADD, UNLESS_THERE_MYSQL, rows);
      case H2 -> addNew(rows);
    };
  }

  /** Adds rows of one kind; no row may be there yet. */
  public Sql addNew(List<HalfRow> rows) {
    return statement(ADD, "", rows);
  }

  /**
   * Adds rows whose keys are not there.
   *
   * @param rows of one kind: with a message, or decisions; in the order of their ids, so that
   *     concurrent callers do not deadlock
   * @return the ids of those that are known to be new; the database may not tell of all
   */
  public Set<UUID> add(Connection connection, List<HalfRow> rows) throws SQLException {
    return switch (clock) {
      case POSTGRESQL -> new HashSet<>(add(rows).query(connection, row -> server.uuid(row, 1)));
      case MYSQL -> {
        add(rows).update(connection);
        yield Set.of();
      }
      case H2 -> addEach(connection, rows);
    };
  }

  /**
   * Adds rows like {@link #add(Connection, List)}, for messages, in a transaction that has done
   * nothing yet.
   */
  Set<UUID> addFirst(Connection connection, List<HalfRow> rows) throws SQLException {
    if (server.database().equals("MariaDB")) {
      return addReturning(connection, rows);
    }
    return clock == ClockDialect.MYSQL ? addAll(connection, rows) : add(connection, rows);
  }

  /** Adds rows with messages, for MariaDB. */
  public Sql addReturning(List<HalfRow> rows) {
    return statement(ADD, UNLESS_THERE_MARIADB, rows);
  }

  /** What came first has the id of its own message. */
  private Set<UUID> addReturning(Connection connection, List<HalfRow> rows) throws SQLException {
    Map<UUID, UUID> messages = new HashMap<>();
    for (HalfRow row : rows) {
      NewMessage message = row.message();
      if (message != null) {
        messages.put(row.id(), message.id().value());
      }
    }
    Set<UUID> added = new HashSet<>();
    addReturning(rows)
        .queryWriting(
            connection,
            row -> {
              UUID id = server.uuid(row, 1);
              boolean own =
                  row.getObject(2) != null && server.uuid(row, 2).equals(messages.get(id));
              return own && HalfDialect.state(row.getString(3)) == HalfState.PREPARED
                  ? Optional.of(id)
                  : Optional.<UUID>empty();
            })
        .forEach(id -> id.ifPresent(added::add));
    return added;
  }

  // the statement that bears repeats does not tell which they are; they are rare
  private Set<UUID> addAll(Connection connection, List<HalfRow> rows) throws SQLException {
    try {
      addNew(rows).update(connection);
      return rows.stream().map(HalfRow::id).collect(Collectors.toSet());
    } catch (SQLException e) {
      if (e.getErrorCode() != DUPLICATE_MYSQL) {
        throw e;
      }
    }
    connection.rollback(); // frees the rows in the way: two such callers would wait in a circle
    return add(connection, rows);
  }

  // a broken unique key ends the statement, not the transaction
  private Set<UUID> addEach(Connection connection, List<HalfRow> rows) throws SQLException {
    Set<UUID> added = new HashSet<>();
    for (HalfRow row : rows) {
      try {
        addNew(List.of(row)).update(connection);
        added.add(row.id());
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return added;
  }

  /** What a text is made of. Apart from texts for many rows, an application has only a few. */
  private record Shape(String template, String end, int used, boolean decided) {}

  private Sql statement(String template, String end, List<HalfRow> rows) {
    List<@Nullable Object[]> values = rows.stream().map(this::values).toList();
    int[] used =
        IntStream.range(0, COLUMNS.size())
            .filter(column -> values.stream().anyMatch(row -> row[column] != null))
            .toArray();
    boolean decided = rows.get(0).state() != HalfState.PREPARED;
    int bits = IntStream.of(used).map(column -> 1 << column).sum();
    String text = texts.computeIfAbsent(new Shape(template, end, bits, decided), this::text);
    return template.equals(ADD_ARRAYS)
        ? new Sql(text, arrays(used, values))
        : new Sql(Repeated.times(text, rows.size()), each(used, values));
  }

  private String text(Shape shape) {
    String value = shape.template().equals(ADD_ARRAYS) ? "unnest(?::%s[])" : "?";
    List<Column> used =
        IntStream.range(0, COLUMNS.size())
            .filter(column -> (shape.used() & 1 << column) != 0)
            .mapToObj(COLUMNS::get)
            .toList();
    String text =
        (shape.template() + shape.end())
            .replace(":columns", list(used, Column::name))
            .replace(":values", list(used, column -> String.format(value, column.type())))
            .replace(":decided", shape.decided() ? ":now" : "NULL");
    return names.in(clock.in(text));
  }

  private static String list(List<Column> columns, Function<Column, String> text) {
    return columns.stream().map(text).collect(Collectors.joining(", "));
  }

  private static List<@Nullable Object> each(int[] used, List<@Nullable Object[]> rows) {
    List<@Nullable Object> each = new ArrayList<>(used.length * rows.size());
    for (@Nullable Object[] row : rows) {
      for (int column : used) {
        each.add(row[column]);
      }
    }
    return each;
  }

  private static List<@Nullable Object> arrays(int[] used, List<@Nullable Object[]> rows) {
    List<@Nullable Object> arrays = new ArrayList<>(used.length);
    for (int column : used) {
      List<@Nullable Object> elements = new ArrayList<>(rows.size());
      rows.forEach(row -> elements.add(row[column]));
      arrays.add(new Sql.ArrayValue(COLUMNS.get(column).type(), elements));
    }
    return arrays;
  }

  /** In the order of the columns. */
  private @Nullable Object[] values(HalfRow row) {
    @Nullable Object[] values = new Object[COLUMNS.size()];
    NewMessage message = row.message();
    values[0] = clock.bound(row.id());
    values[1] = row.key().business();
    values[2] = row.key().key();
    values[3] = HalfDialect.text(row.state());
    values[5] = row.delay().isZero() ? null : row.delay().toMillis();
    values[7] = row.checkBack() == null ? null : row.checkBack().toString();
    if (message != null) {
      values[4] = time(message.message().notBefore());
      values[6] = message.message().payload().length;
      int next = 8;
      for (MessageColumn column : MessageColumn.ALL) {
        values[next++] = value(column, message);
      }
    }
    return values;
  }

  private @Nullable Object value(MessageColumn column, NewMessage message) {
    return switch (clock) {
      case POSTGRESQL ->
          column == MessageColumn.PARTITION_NO
              ? (Short) (short) message.partition()
              : column.of(message);
      case MYSQL -> MySqlValues.value(column, message);
      case H2 -> column.of(message);
    };
  }

  private @Nullable Object time(@Nullable Instant time) {
    if (time == null) {
      return null;
    }
    return clock == ClockDialect.MYSQL
        ? LocalDateTime.ofInstant(time, ZoneOffset.UTC)
        : time.atOffset(ZoneOffset.UTC);
  }
}
