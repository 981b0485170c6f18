package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfState;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every statement about half messages that are there. They are the same on every database but for
 * the clock; how rows are added, and what commits at once, differs more. Thread-safe.
 */
public final class HalfDialect {
  /** The most keys in one statement; more become several. */
  public static final int KEYS_MAX = 500;

  /** Larger payloads are not read with the row, before it is known that they are sent. */
  static final int PAYLOAD_WITH_ROW_MAX = 8 << 10;

  private final TableNames names;
  private final ClockDialect clock;
  private final HalfInsertDialect inserts;
  private final @Nullable PostgresCommitDialect commits;

  public HalfDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
    this.inserts = new HalfInsertDialect(server);
    this.commits =
        clock == ClockDialect.POSTGRESQL ? new PostgresCommitDialect(server.names()) : null;
  }

  /** What adds rows. */
  public HalfInsertDialect inserts() {
    return inserts;
  }

  /** What commits in one statement; null if this database cannot. */
  @Nullable
  public PostgresCommitDialect commits() {
    return commits;
  }

  /** Held until the transaction ends. Parameter: ids. */
  private static final String LOCK =
      """
      SELECT half_id, state, payload_bytes, :now AS held_at, id, created_at, message_id
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      ORDER BY half_id
      FOR UPDATE
      """;

  /** Where a row of it has the time at which it was prepared, and the message's id. */
  static final int LOCK_CREATED = 6;

  static final int LOCK_MESSAGE_ID = 7;

  public Sql lock(Collection<UUID> ids) {
    return ofIds(LOCK, ids);
  }

  /**
   * The columns of {@link MessageRows}, then the columns of {@link #LOCK}, then when the message is
   * due.
   */
  private static final String COLUMNS =
      """
        partition_no, id, message_id, destination, message_key, message_type, headers, :payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        half_id, state, payload_bytes, :now AS held_at, id, not_before, delay_millis""";

  /**
   * Held until the transaction ends, with the message if its payload is small. Parameters: most
   * bytes of a payload, ids.
   */
  private static final String LOCK_MESSAGES =
      """
      SELECT
      :columns
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      ORDER BY half_id
      FOR UPDATE
      """;

  public Sql lockMessages(Collection<UUID> ids) {
    String payload = "CASE WHEN payload_bytes <= ? THEN payload END AS payload";
    return with(PAYLOAD_WITH_ROW_MAX, ofIds(columns(LOCK_MESSAGES, payload), ids));
  }

  /** Parameter: ids. */
  private static final String MESSAGES =
      """
      SELECT
      :columns
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      """;

  public Sql messages(Collection<UUID> ids) {
    return ofIds(columns(MESSAGES, "payload"), ids);
  }

  private static String columns(String text, String payload) {
    return text.replace(":columns\n", COLUMNS.indent(2)).replace(":payload", payload);
  }

  /** What is decided needs no message any more. Parameters: state, ids. */
  private static final String DECIDE =
      """
      UPDATE outbox_half:by_key
      SET state = ?, decided_at = :now, payload = NULL, headers = NULL
      WHERE half_id IN ({?|, })
      """;

  public Sql decide(HalfState state, Collection<UUID> ids) {
    return withState(DECIDE, state, ids);
  }

  private Sql withState(String text, HalfState state, Collection<UUID> ids) {
    return with(text(state), ofIds(text, ids));
  }

  private static Sql with(Object first, Sql sql) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(first);
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  /** Marks rows that stay open. Parameters: state, ids. */
  private static final String MARK =
      """
      UPDATE outbox_half:by_key
      SET state = ?
      WHERE half_id IN ({?|, })
      """;

  public Sql mark(HalfState state, Collection<UUID> ids) {
    return withState(MARK, state, ids);
  }

  /** Parameter: ids. */
  private static final String STATES =
      """
      SELECT half_id, state
      FROM outbox_half:by_key
      WHERE half_id IN ({?|, })
      """;

  public Sql states(Collection<UUID> ids) {
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

  public Sql old(Duration age, long after) {
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
      DELETE outbox_half
      FROM outbox_half FORCE INDEX (PRIMARY)
      WHERE outbox_half.decided_at < :earlier AND outbox_half.id IN ({?|, })
      """;

  public Sql forget(Duration age, Collection<Long> numbers) {
    List<@Nullable Object> padded = Repeated.padded(numbers);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(clock.scaled(age));
    parameters.addAll(padded);
    String text = clock == ClockDialect.MYSQL ? FORGET_MYSQL : FORGET;
    return new Sql(Repeated.times(in(text), padded.size()), parameters);
  }

  private Sql ofIds(String text, Collection<UUID> ids) {
    if (clock == ClockDialect.POSTGRESQL) {
      return Sql.of(
          in(text.replace("IN ({?|, })", "= ANY (?::uuid[])")),
          new Sql.ArrayValue("uuid", List.copyOf(ids)));
    }
    Function<UUID, Object> bound = clock::bound;
    List<@Nullable Object> padded = Repeated.padded(ids.stream().map(bound).toList());
    return new Sql(Repeated.times(in(text), padded.size()), padded);
  }

  /** MySQL and MariaDB would lock all rows of a table that they take for empty. */
  private String in(String text) {
    String index = clock == ClockDialect.MYSQL ? " FORCE INDEX (by_key)" : "";
    return names.in(clock.in(text.replace(":by_key", index)));
  }

  /** Returns the state as it is stored. */
  static String text(HalfState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What {@link #text} wrote. */
  public static HalfState state(String text) {
    return HalfState.valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
