package io.angarium.jdbc;

import io.angarium.half.HalfState;
import io.angarium.store.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every statement about half messages. They are the same on every database but for the clock and
 * the insert that passes over what is there. Thread-safe.
 */
final class HalfDialect {
  /** The most keys in one statement; more become several. */
  static final int KEYS_MAX = 500;

  private static final String DUPLICATE = "23505";

  private static final String COLUMNS =
      """
      half_id, half_business, half_key, state, not_before, delay_millis, payload_bytes, \
      check_back, partition_no, message_id, destination, message_key, message_type, headers, business_type, \
      business_key, created_by, payload""";

  private final Dialect server;
  private final TableNames names;
  private final ClockDialect clock;

  HalfDialect(Dialect server) {
    this.server = server;
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  // ---- new rows

  /** Arrays side by side are rows in their order. Parameters: one array per column. */
  private static final String ADD_POSTGRES =
      """
      INSERT INTO outbox_half (
        :columns, created_at, decided_at)
      SELECT
        h.*, :now, CASE WHEN h.state <> 'prepared' THEN :now END
      FROM (
        SELECT
          unnest(?::uuid[]) AS half_id, unnest(?::text[]), unnest(?::text[]),
          unnest(?::text[]) AS state, unnest(?::timestamptz[]), unnest(?::int8[]),
          unnest(?::int4[]), unnest(?::text[]), unnest(?::int2[]), unnest(?::uuid[]),
          unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]),
          unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[])) AS h
      ON CONFLICT (half_id) DO NOTHING
      RETURNING half_id
      """;

  /**
   * Not IGNORE, which would also ignore what does not fit. Parameters: one per column for each row,
   * and the state once more.
   */
  private static final String ADD_MYSQL =
      """
      INSERT INTO outbox_half (
        :columns, created_at, decided_at)
      VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        :now, CASE WHEN ? <> 'prepared' THEN :now END)|,
        }
      ON DUPLICATE KEY UPDATE half_id = half_id
      """;

  /** Parameters: one per column, and the state once more. */
  private static final String ADD_H2 =
      """
      INSERT INTO outbox_half (
        :columns, created_at, decided_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        :now, CASE WHEN ? <> 'prepared' THEN :now END)
      """;

  /** Rows whose key is there stay out. */
  Sql add(List<HalfRow> rows) {
    return switch (clock) {
      case POSTGRESQL -> new Sql(in(ADD_POSTGRES), arrays(rows));
      case MYSQL -> new Sql(Repeated.times(in(ADD_MYSQL), rows.size()), values(rows));
      case H2 -> new Sql(in(ADD_H2), values(rows.subList(0, 1)));
    };
  }

  /**
   * Adds rows whose keys are not there.
   *
   * @param rows in the order of their ids, so that concurrent callers do not deadlock
   * @return the ids of those that are known to be new: all of them, or none if the database does
   *     not tell
   */
  Set<UUID> add(Connection connection, List<HalfRow> rows) throws SQLException {
    return switch (clock) {
      case POSTGRESQL -> new HashSet<>(add(rows).query(connection, row -> server.uuid(row, 1)));
      case MYSQL -> {
        add(rows).update(connection);
        yield Set.of();
      }
      case H2 -> addEach(connection, rows);
    };
  }

  // A broken unique key ends the statement, not the transaction.
  private Set<UUID> addEach(Connection connection, List<HalfRow> rows) throws SQLException {
    Set<UUID> added = new HashSet<>();
    for (HalfRow row : rows) {
      try {
        add(List.of(row)).update(connection);
        added.add(row.id());
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return added;
  }

  private List<@Nullable Object> values(List<HalfRow> rows) {
    List<@Nullable Object> values = new ArrayList<>();
    for (HalfRow row : rows) {
      values.addAll(values(row));
      values.add(text(row.state()));
    }
    return values;
  }

  /** In the order of the columns. */
  private List<@Nullable Object> values(HalfRow row) {
    List<@Nullable Object> values = new ArrayList<>();
    NewMessage message = row.message();
    values.add(clock.bound(row.id()));
    values.add(row.key().business());
    values.add(row.key().key());
    values.add(text(row.state()));
    values.add(message == null ? null : time(message.message().notBefore()));
    values.add(row.delay().isZero() ? null : row.delay().toMillis());
    values.add(message == null ? null : message.message().payload().length);
    values.add(row.checkBack() == null ? null : row.checkBack().toString());
    for (MessageColumn column : MessageColumn.ALL) {
      values.add(message == null ? null : value(column, message));
    }
    return values;
  }

  private @Nullable Object value(MessageColumn column, NewMessage message) {
    return switch (clock) {
      case POSTGRESQL ->
          column == MessageColumn.PARTITION_NO
              ? (Short) (short) message.partition()
              : column.of(message);
      case MYSQL -> MySqlFamily.value(column, message);
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

  private static final List<String> ARRAY_TYPES =
      List.of(
          "uuid",
          "text",
          "text",
          "text",
          "timestamptz",
          "int8",
          "int4",
          "text",
          "int2",
          "uuid",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "bytea");

  private List<@Nullable Object> arrays(List<HalfRow> rows) {
    List<List<@Nullable Object>> values = rows.stream().map(this::values).toList();
    List<@Nullable Object> arrays = new ArrayList<>();
    for (int i = 0; i < ARRAY_TYPES.size(); i++) {
      int column = i;
      List<@Nullable Object> elements = new ArrayList<>(rows.size());
      values.forEach(row -> elements.add(row.get(column)));
      arrays.add(new Sql.ArrayValue(ARRAY_TYPES.get(i), elements));
    }
    return arrays;
  }

  // ---- rows that are there

  /** Held until the transaction ends. Parameter: ids. */
  private static final String LOCK =
      """
      SELECT half_id, state, payload_bytes, :now AS held_at, id
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      ORDER BY half_id
      FOR UPDATE
      """;

  Sql lock(Collection<UUID> ids) {
    return ofIds(LOCK, ids);
  }

  /** The columns of {@link MessageRows}, then key and delay. Parameter: ids. */
  private static final String MESSAGES =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers, payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, half_id, not_before,
        delay_millis
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      """;

  Sql messages(Collection<UUID> ids) {
    return ofIds(MESSAGES, ids);
  }

  /** What is decided needs no message any more. Parameters: state, ids. */
  private static final String DECIDE =
      """
      UPDATE outbox_half:by_key
      SET state = ?, decided_at = :now, payload = NULL, headers = NULL
      WHERE half_id IN ({?|, })
      """;

  Sql decide(HalfState state, Collection<UUID> ids) {
    return withState(DECIDE, state, ids);
  }

  private Sql withState(String text, HalfState state, Collection<UUID> ids) {
    Sql sql = ofIds(text, ids);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(text(state));
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  /** Of rows that stay open. Parameters: state, ids. */
  private static final String MARK =
      """
      UPDATE outbox_half:by_key
      SET state = ?
      WHERE half_id IN ({?|, })
      """;

  Sql mark(HalfState state, Collection<UUID> ids) {
    return withState(MARK, state, ids);
  }

  /** Parameter: ids. */
  private static final String STATES =
      """
      SELECT half_id, state
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      """;

  Sql states(Collection<UUID> ids) {
    return ofIds(STATES, ids);
  }

  // ---- what grows with time

  /** A page in the order of the key. Parameters: age, age, lowest number, limit. */
  private static final String OLD =
      """
      SELECT
        id, CASE WHEN decided_at < :earlier THEN 1 ELSE 0 END,
        CASE WHEN created_at < :earlier THEN 1 ELSE 0 END
      FROM outbox_half
      WHERE id > ?
      ORDER BY id
      LIMIT ?
      """;

  Sql old(Duration age, long after) {
    long scaled = clock.scaled(age);
    return Sql.of(in(OLD), scaled, scaled, after, KEYS_MAX);
  }

  /** Unless they were decided anew. Parameters: age, numbers. */
  private static final String FORGET =
      """
      DELETE FROM outbox_half
      WHERE decided_at < :earlier AND id IN ({?|, })
      """;

  /** Only a delete from a list of tables can be told which index to use. */
  private static final String FORGET_MYSQL =
      """
      DELETE h
      FROM outbox_half AS h FORCE INDEX (PRIMARY)
      WHERE h.decided_at < :earlier AND h.id IN ({?|, })
      """;

  Sql forget(Duration age, Collection<Long> numbers) {
    List<@Nullable Object> padded = Repeated.padded(numbers);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.scaled(age));
    parameters.addAll(padded);
    String text = clock == ClockDialect.MYSQL ? FORGET_MYSQL : FORGET;
    return new Sql(Repeated.times(in(text), padded.size()), parameters);
  }

  private Sql ofIds(String text, Collection<UUID> ids) {
    Function<UUID, Object> bound = clock::bound;
    List<@Nullable Object> padded = Repeated.padded(ids.stream().map(bound).toList());
    return new Sql(Repeated.times(in(text), padded.size()), padded);
  }

  /** MySQL and MariaDB would lock all rows of a table that they take for empty. */
  private String in(String text) {
    String index = clock == ClockDialect.MYSQL ? " FORCE INDEX (by_key)" : "";
    return names.in(clock.in(text.replace(":columns", COLUMNS).replace(":by_key", index)));
  }

  /** As it is stored. */
  static String text(HalfState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What {@link #text} wrote. */
  static HalfState state(String text) {
    return HalfState.valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
