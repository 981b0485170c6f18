package io.angarium.jdbc.internal.dialect;

import io.angarium.BusinessKey;
import io.angarium.TimeSource;
import io.angarium.half.Marker;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.catalogue.PostgresTableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.PostgresDriver;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.internal.sql.TupleId;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL 13 or newer. Lists travel as arrays, so that the number of statement texts is fixed.
 */
public final class PostgresDialect implements Dialect {
  private static final int VERSION_MIN = 13;

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String DEADLOCK = "40P01";

  private final TableNames names;

  private final PostgresInsertDialect inserts;

  public PostgresDialect(TableNames names) {
    this.names = names;
    this.inserts = new PostgresInsertDialect(names);
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return "PostgreSQL";
  }

  @Override
  public String folder() {
    return "postgresql";
  }

  // The statistics of a table that is mostly empty lead to full scans the moment it fills.
  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("enable_seqscan", "off");
    settings.put("enable_hashjoin", "off");
    settings.put("enable_mergejoin", "off");
    settings.put("plan_cache_mode", "force_generic_plan");
    settings.put("jit", "off");
    settings.put("enable_bitmapscan", role == SessionRole.READ_STRETCH ? "on" : "off");
    switch (role) {
      case READ_STRETCH -> settings.put("enable_indexscan", "off");
      case COMPLETE -> settings.put("synchronous_commit", "off");
      case CHECK -> settings.put("lock_timeout", "1s");
      case WRITE_TOGETHER -> settings.put("lock_timeout", "3s");
      default -> {}
    }
    return settings;
  }

  /**
   * Null stands for RESET, so that a session that nobody had set goes on following the server.
   * Parameters: names, values.
   */
  private static final String CHANGE =
      """
      SELECT
        s.name,
        CASE WHEN s.source = 'session' THEN current_setting(s.name) END,
        set_config(s.name, w.value, false)
      FROM pg_settings AS s
        JOIN unnest(?::text[], ?::text[]) AS w (name, value) ON w.name = s.name
      """;

  public Sql change(Map<String, String> settings) {
    return withSettings(CHANGE, settings);
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    change(settings).forEach(connection, row -> before.put(row.getString(1), row.getString(2)));
    return before;
  }

  /** Parameters: names, values. */
  private static final String PUT_BACK =
      """
      SELECT set_config(w.name, w.value, false)
      FROM unnest(?::text[], ?::text[]) AS w (name, value)
      """;

  public Sql putBack(Map<String, ? extends @Nullable String> before) {
    return withSettings(PUT_BACK, before);
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before)
      throws SQLException {
    putBack(before).run(connection);
  }

  @Override
  public @Nullable String sessionFault(Connection held, DataSource others) throws SQLException {
    return PooledPostgresDialect.fault(held, others);
  }

  private static Sql withSettings(String text, Map<String, ? extends @Nullable String> settings) {
    return Sql.of(
        text,
        new ArrayValue("text", new ArrayList<>(settings.keySet())),
        new ArrayValue("text", new ArrayList<>(settings.values())));
  }

  @Override
  public void lockForCreate(Connection connection) throws SQLException {
    Sql.of("SELECT pg_advisory_xact_lock(4703015318722642)").run(connection);
  }

  @Override
  public String describeServer(Connection connection) throws SQLException {
    String version = Sql.of("SELECT version()").query(connection, row -> row.getString(1)).get(0);
    if (OtherServer.of(version) != null) {
      return version; // whose catalogue may be another
    }
    List<String> writers =
        Sql.of(
                """
                SELECT extname FROM pg_catalog.pg_extension
                WHERE extname IN ('bdr', 'pgactive', 'spock')
                """)
            .query(connection, row -> row.getString(1));
    return writers.isEmpty() ? version : version + " with " + String.join(", ", writers);
  }

  @Override
  public TableDialect tables() {
    return new PostgresTableDialect(names);
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    return version >= VERSION_MIN
        ? List.of()
        : List.of("PostgreSQL: " + version + " (expected: " + VERSION_MIN + " or newer)");
  }

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class));
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return row.getTimestamp(column).toInstant(); // an OffsetDateTime costs the driver far more
  }

  // ---- written by producers

  @Override
  public int insertMax() {
    return Integer.MAX_VALUE;
  }

  private static final String RETURNING = "RETURNING id, created_at\n";

  public Sql insert(List<NewMessage> messages) {
    Sql silent = insertKeyed(messages);
    return new Sql(silent.text() + RETURNING, silent.parameters());
  }

  public Sql insertKeyed(List<NewMessage> messages) {
    return inserts.of(messages);
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return insert(messages).query(connection, row -> new Inserted(row.getLong(1), instant(row, 2)));
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return insertKeyed(messages).update(connection);
  }

  /** Parameters: due times, then one array per column. */
  private static final String INSERT_DELAYED =
      """
      INSERT INTO outbox_delayed (
        due_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload)
      SELECT
        due_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload
      FROM unnest(
        ?::timestamptz[], ?::smallint[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
        ?::text[], ?::text[], ?::text[], ?::bytea[])
        WITH ORDINALITY AS m (
          due_at, partition_no, message_id, destination, message_key, message_type, headers,
          business_type, business_key, created_by, payload, nr)
      ORDER BY nr
      """;

  @Override
  public Sql insertDelayed(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(
        array("timestamptz", messages, m -> MessageColumn.dueAt(m).atOffset(ZoneOffset.UTC)));
    MessageColumn.ALL.forEach(
        column -> parameters.add(PostgresInsertDialect.array(column, messages)));
    return new Sql(names.in(INSERT_DELAYED), parameters);
  }

  /** Parameters: types, keys, message ids. */
  private static final String CLAIM_BUSINESS_KEYS =
      """
      INSERT INTO outbox_dedup (business_type, business_key, message_id)
      SELECT business_type, business_key, message_id
      FROM unnest(?::text[], ?::text[], ?::uuid[]) AS m (business_type, business_key, message_id)
      ON CONFLICT DO NOTHING
      RETURNING message_id
      """;

  public Sql claimBusinessKeys(List<NewMessage> messages) {
    return Sql.of(
        names.in(CLAIM_BUSINESS_KEYS),
        array("text", messages, m -> business(m).type()),
        array("text", messages, m -> business(m).key()),
        array("uuid", messages, m -> m.id().value()));
  }

  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return new HashSet<>(claimBusinessKeys(messages).query(connection, row -> uuid(row, 1)));
  }

  /** Parameters: types, keys, message ids. */
  private static final String RELEASE_BUSINESS_KEYS =
      """
      DELETE FROM outbox_dedup AS d
      USING unnest(?::text[], ?::text[], ?::uuid[]) AS m (business_type, business_key, message_id)
      WHERE d.business_type = m.business_type
        AND d.business_key = m.business_key
        AND d.message_id = m.message_id
      """;

  @Override
  public Sql releaseBusinessKeys(List<NewMessage> messages) {
    return Sql.of(
        names.in(RELEASE_BUSINESS_KEYS),
        array("text", messages, m -> business(m).type()),
        array("text", messages, m -> business(m).key()),
        array("uuid", messages, m -> m.id().value()));
  }

  private static BusinessKey business(NewMessage message) {
    return Objects.requireNonNull(message.message().business());
  }

  // ---- read by the relay

  /**
   * The length of a payload stands in the header of its value, wherever the rest is stored.
   * Parameters: most bytes of a payload, partitions, exclusive lower ends, inclusive upper ends,
   * limit per span.
   */
  private static final String READ =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes, o.ctid AS place
      FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
      CROSS JOIN LATERAL (
        SELECT ctid, *
        FROM outbox
        WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
        ORDER BY id
        LIMIT ?) AS o
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    return Sql.of(
        names.in(READ),
        inline,
        array("int2", spans, s -> (short) s.partition()),
        array("int8", spans, SequenceRange::after),
        array("int8", spans, SequenceRange::upTo),
        limitPerSpan);
  }

  /**
   * In the order of the table, each page of it once: without a limit, so that no order is wanted.
   * Parameters: most bytes of a payload, partitions, exclusive lower end, inclusive upper end.
   */
  private static final String READ_STRETCH =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN octet_length(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        octet_length(payload) AS payload_bytes, ctid AS place
      FROM outbox
      WHERE partition_no = ANY (?::smallint[]) AND id > ? AND id <= ?
      """;

  @Override
  public Sql readStretch(Collection<Integer> partitions, long after, long upTo, int inline) {
    return Sql.of(names.in(READ_STRETCH), inline, partitionArray(partitions), after, upTo);
  }

  /**
   * Every row of the spans, and the snapshot of this very statement, which comes alone in a row of
   * nulls when there are none. Parameters: most bytes of a payload, partitions, exclusive lower
   * ends, inclusive upper ends, limit.
   */
  private static final String READ_ALL_LATE =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes,
        now.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS now
      LEFT JOIN LATERAL (
        SELECT r.*
        FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM outbox
          WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
          ORDER BY id) AS r
        LIMIT ?) AS o ON true
      """;

  /**
   * Reads late rows like {@link #READ_ALL_LATE}, but only rows that the old snapshot could not see.
   * That snapshot is the last parameter but one.
   */
  private static final String READ_LATE =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes,
        now.snapshot
      FROM (SELECT pg_current_snapshot()::text AS snapshot) AS now
      LEFT JOIN LATERAL (
        SELECT r.*
        FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s (partition_no, after_id, up_to_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM outbox
          WHERE partition_no = s.partition_no AND id > s.after_id AND id <= s.up_to_id
            AND NOT pg_visible_in_snapshot(xid, ?::pg_snapshot)
          ORDER BY id) AS r
        LIMIT ?) AS o ON true
      """;

  public Sql readLate(List<SequenceRange> spans, @Nullable String since, int limit, int inline) {
    ArrayValue partitions = array("int2", spans, s -> (short) s.partition());
    ArrayValue after = array("int8", spans, SequenceRange::after);
    ArrayValue upTo = array("int8", spans, SequenceRange::upTo);
    return since == null
        ? Sql.of(names.in(READ_ALL_LATE), inline, partitions, after, upTo, limit)
        : Sql.of(names.in(READ_LATE), inline, partitions, after, upTo, since, limit);
  }

  /** Parameters: most bytes of a payload, partitions, ids. */
  private static final String READ_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, id)
      JOIN outbox AS o ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return atPositions(READ_AT, positions, inline);
  }

  private Sql atPositions(String text, List<Position> positions, int inline) {
    return Sql.of(
        names.in(text),
        inline,
        array("int2", positions, p -> (short) p.partition()),
        array("int8", positions, Position::sequence));
  }

  private static final String LAST_SEQUENCE =
      """
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
      FROM outbox_id_seq
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      SELECT setval('outbox_id_seq', :last)
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":last", Long.toString(next - 1)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(names.in(LAST_SEQUENCE));
  }

  /** What runs now. */
  public Sql snapshot() {
    return Sql.of("SELECT pg_current_snapshot()::text");
  }

  /**
   * Reads the barrier after the last sequence was read. A transaction that took a sequence up to
   * that one has a lower number than this transaction. {@code pg_snapshot_xmax} would not do: it is
   * only the latest one that has ended.
   */
  public Sql barrier() {
    return Sql.of("SELECT pg_current_xact_id()::text");
  }

  /** Parameter: the barrier. */
  public Sql settled(String barrier) {
    return Sql.of(
        """
        SELECT pg_snapshot_xmin(pg_current_snapshot()) > ?::xid8
        """,
        barrier);
  }

  /** Parameters: partitions, twice. */
  private static final String BLOCKED_KEYS =
      """
      SELECT partition_no, key_hash
      FROM outbox_parked
      WHERE partition_no = ANY (?::smallint[]) AND key_hash <> 0
      UNION
      SELECT partition_no, key_hash
      FROM outbox_dead
      WHERE partition_no = ANY (?::smallint[]) AND blocks_key
      """;

  @Override
  public Sql blockedKeys(Collection<Integer> partitions) {
    return Sql.of(names.in(BLOCKED_KEYS), partitionArray(partitions), partitionArray(partitions));
  }

  /** Parameters: most bytes of a payload, partitions, excepted destinations, limit. */
  private static final String DUE_HEADS =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN octet_length(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        octet_length(payload) AS payload_bytes
      FROM outbox_parked
      WHERE head
        AND due_at <= statement_timestamp()
        AND partition_no = ANY (?::smallint[])
        AND destination <> ALL (?::text[])
      ORDER BY due_at
      LIMIT ?
      """;

  @Override
  public Sql dueHeads(
      Collection<Integer> partitions, Collection<String> except, int limit, int inline) {
    return Sql.of(
        names.in(DUE_HEADS),
        inline,
        partitionArray(partitions),
        array("text", except, destination -> destination),
        limit);
  }

  /**
   * The head is the first one but for rows that came late. Parameters: most bytes of a payload,
   * partition, key hash, all again, limit, twice.
   */
  private static final String PARKED_OF_KEY =
      """
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN octet_length(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        octet_length(payload) AS payload_bytes
      FROM outbox_parked
      WHERE partition_no = ? AND key_hash = ? AND head = TRUE)
      UNION ALL
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN octet_length(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        octet_length(payload) AS payload_bytes
      FROM outbox_parked
      WHERE partition_no = ? AND key_hash = ? AND head = FALSE
      ORDER BY id
      LIMIT ?)
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql parkedOfKey(int partition, long keyHash, int limit, int inline) {
    return Sql.of(
        names.in(PARKED_OF_KEY),
        inline,
        partition,
        keyHash,
        inline,
        partition,
        keyHash,
        limit,
        limit);
  }

  /** Parameters: most bytes of a payload, partitions, ids. */
  private static final String PARKED_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN octet_length(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, o.attempts, o.created_at,
        octet_length(o.payload) AS payload_bytes
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, id)
      JOIN outbox_parked AS o ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public Sql parkedAt(List<Position> positions, int inline) {
    return atPositions(PARKED_AT, positions, inline);
  }

  /**
   * Looks everywhere. The last three columns: the partitions, the lowest sequence in each or 0, and
   * whether there are rows in other partitions. Parameter: the limit of each count, four times.
   */
  private static final String BACKLOG =
      """
      WITH few AS (
        SELECT partition_no, id, created_at
        FROM outbox
        LIMIT ?),
      lowest AS (
        SELECT l.partition_no, first.id, first.created_at
        FROM outbox_lease AS l
        LEFT JOIN LATERAL (
          SELECT id, created_at
          FROM outbox
          WHERE partition_no = l.partition_no
          ORDER BY id
          LIMIT 1) AS first ON true),
      seen AS (
        SELECT id, created_at FROM few
        UNION ALL
        SELECT id, created_at FROM lowest)
      SELECT
        (SELECT count(*) FROM few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few)
          + (SELECT count(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT coalesce(min(id), 0) FROM seen),
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        (SELECT coalesce(
          (extract(epoch FROM statement_timestamp() - min(created_at)) * 1000)::bigint, 0)
          FROM seen),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < statement_timestamp() - ? * interval '1 millisecond'
            LIMIT ?) AS few),
        ARRAY (SELECT partition_no::bigint FROM lowest ORDER BY partition_no),
        ARRAY (SELECT coalesce(id, 0) FROM lowest ORDER BY partition_no),
        EXISTS (
          SELECT 1 FROM few WHERE partition_no NOT IN (SELECT partition_no FROM outbox_lease))
      """;

  @Override
  public Sql backlog(int limit) {
    return Sql.of(
        names.in(BACKLOG), limit, limit, limit, limit, Backlog.OVERDUE_AFTER.toMillis(), limit);
  }

  /**
   * Counts like {@link #BACKLOG}, but only above sequences up to which every row is gone.
   * Parameters: partitions, sequences, and the limit of each count, five times.
   */
  private static final String BACKLOG_ABOVE =
      """
      WITH above AS (
        SELECT partition_no, after_id
        FROM unnest(?::smallint[], ?::bigint[]) AS a (partition_no, after_id)),
      lowest AS (
        SELECT a.partition_no, first.id, first.created_at
        FROM above AS a
        LEFT JOIN LATERAL (
          SELECT id, created_at
          FROM outbox
          WHERE partition_no = a.partition_no AND id > a.after_id
          ORDER BY id
          LIMIT 1) AS first ON true)
      SELECT
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM above AS a
            CROSS JOIN LATERAL (
              SELECT id
              FROM outbox
              WHERE partition_no = a.partition_no AND id > a.after_id
              ORDER BY id
              LIMIT ?) AS o
            LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few)
          + (SELECT count(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT count(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT coalesce(min(id), 0) FROM lowest),
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        (SELECT coalesce(
          (extract(epoch FROM statement_timestamp() - min(created_at)) * 1000)::bigint, 0)
          FROM lowest),
        (SELECT count(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < statement_timestamp() - ? * interval '1 millisecond'
            LIMIT ?) AS few),
        ARRAY (SELECT partition_no::bigint FROM lowest ORDER BY partition_no),
        ARRAY (SELECT coalesce(id, 0) FROM lowest ORDER BY partition_no),
        false
      """;

  /**
   * The row of {@link #backlog} without the rows below some sequences.
   *
   * @param gone sequences by partition, not empty
   */
  public Sql backlogAbove(Map<Integer, Long> gone, int limit) {
    return Sql.of(
        names.in(BACKLOG_ABOVE),
        array("int2", gone.keySet(), Integer::shortValue),
        array("int8", gone.values(), sequence -> sequence),
        limit,
        limit,
        limit,
        limit,
        limit,
        Backlog.OVERDUE_AFTER.toMillis(),
        limit);
  }

  @Override
  public BacklogLook backlogLook(TimeSource time) {
    return new PostgresBacklogLook(this, time);
  }

  // ---- written by the relay

  /**
   * Exact positions only: a range would take unsent rows along. In the order of places, as {@link
   * #DELETE_IN_PLACE}: two nodes that delete the same rows must not block each other. Parameters:
   * partitions, ids.
   */
  private static final String DELETE =
      """
      DELETE FROM outbox
      WHERE ctid = ANY (ARRAY(
        SELECT o.ctid
        FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
        JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id))
      """;

  /** Parameters: partitions, ids. */
  private static final String DELETE_TO_HISTORY =
      """
      WITH gone AS (
        DELETE FROM outbox
        WHERE ctid = ANY (ARRAY(
          SELECT o.ctid
          FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
          JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id))
        RETURNING *)
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      """;

  /** Parameters: partitions, ids. */
  private static final String LOCK_ROWS =
      """
      SELECT o.partition_no, o.id, o.message_id
      FROM unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
      JOIN outbox AS o ON o.partition_no = d.partition_no AND o.id = d.id
      ORDER BY o.ctid
      FOR UPDATE OF o SKIP LOCKED
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(LOCK_ROWS, positions);
  }

  @Override
  public List<Sql> delete(List<Position> positions, boolean history) {
    return List.of(atPositions(history ? DELETE_TO_HISTORY : DELETE, positions));
  }

  /**
   * Rows by their physical place: no index is asked. Another row may have come to a place
   * meanwhile, so the id is compared, in a form that is no join: a table without statistics would
   * get a nested loop. Parameters: places, ids.
   */
  private static final String DELETE_IN_PLACE =
      """
      DELETE FROM outbox
      WHERE ctid = ANY (?::tid[]) AND (id IN (SELECT unnest(?::bigint[]))) IS TRUE
      """;

  /** Parameters: places, ids. */
  private static final String DELETE_IN_PLACE_TO_HISTORY =
      """
      WITH gone AS (
        DELETE FROM outbox
        WHERE ctid = ANY (?::tid[]) AND (id IN (SELECT unnest(?::bigint[]))) IS TRUE
        RETURNING *)
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      """;

  @Override
  public long place(ResultSet row, int column) throws SQLException {
    return TupleId.parse(row.getString(column));
  }

  @Override
  public Sql deleteInPlace(List<Position> positions, boolean history) {
    return Sql.of(
        names.in(history ? DELETE_IN_PLACE_TO_HISTORY : DELETE_IN_PLACE),
        TupleId.array(positions),
        array("int8", positions, Position::sequence));
  }

  /** Parameters: partitions, nodes, incarnations, epochs. */
  private static final String FENCE =
      """
      SELECT l.partition_no
      FROM outbox_lease AS l
      JOIN unnest(?::smallint[], ?::text[], ?::uuid[], ?::bigint[])
        AS held (partition_no, node, incarnation, epoch)
        ON l.partition_no = held.partition_no
        AND l.node = held.node
        AND l.incarnation = held.incarnation
        AND l.epoch = held.epoch
      ORDER BY l.partition_no
      FOR UPDATE OF l
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    return held(FENCE, leases);
  }

  /** Parameters: partitions, ids, key hashes, heads, attempts, pauses in milliseconds, errors. */
  private static final String PARK =
      """
      WITH gone AS (
        DELETE FROM outbox AS o
        USING unnest(
          ?::smallint[], ?::bigint[], ?::bigint[], ?::boolean[], ?::integer[], ?::bigint[], ?::text[])
          AS p (partition_no, id, key_hash, head, attempts, pause_millis, error)
        WHERE o.partition_no = p.partition_no AND o.id = p.id
        RETURNING o.*, p.key_hash, p.head, p.attempts, p.pause_millis, p.error)
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, attempted_at, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        partition_no, id, key_hash, head,
        statement_timestamp() + pause_millis * interval '1 millisecond',
        attempts, error, CASE WHEN head THEN statement_timestamp() END, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload
      FROM gone
      """;

  @Override
  public List<Sql> park(List<ParkedEntry> parkings) {
    return List.of(
        Sql.of(
            names.in(PARK),
            array("int2", parkings, p -> (short) p.position().partition()),
            array("int8", parkings, p -> p.position().sequence()),
            array("int8", parkings, ParkedEntry::keyHash),
            array("bool", parkings, ParkedEntry::head),
            array("int4", parkings, ParkedEntry::attempts),
            array("int8", parkings, p -> p.pause().toMillis()),
            array("text", parkings, p -> Reason.cut(p.error()))));
  }

  /** Parameters: partitions, ids. */
  private static final String DELETE_PARKED =
      """
      DELETE FROM outbox_parked AS k
      USING unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
      WHERE k.partition_no = d.partition_no AND k.id = d.id
      """;

  /** Parameters: partitions, ids. */
  private static final String DELETE_PARKED_TO_HISTORY =
      """
      WITH gone AS (
        DELETE FROM outbox_parked AS k
        USING unnest(?::smallint[], ?::bigint[]) AS d (partition_no, id)
        WHERE k.partition_no = d.partition_no AND k.id = d.id
        RETURNING k.*)
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      """;

  @Override
  public List<Sql> deleteParked(List<Position> positions, boolean history) {
    return List.of(atPositions(history ? DELETE_PARKED_TO_HISTORY : DELETE_PARKED, positions));
  }

  /** Parameters: partitions, ids, attempts, pauses in milliseconds, errors. */
  private static final String RESCHEDULE =
      """
      UPDATE outbox_parked AS k
      SET head = true,
        attempts = p.attempts,
        due_at = statement_timestamp() + p.pause_millis * interval '1 millisecond',
        last_error = p.error,
        attempted_at = statement_timestamp()
      FROM unnest(?::smallint[], ?::bigint[], ?::integer[], ?::bigint[], ?::text[])
        AS p (partition_no, id, attempts, pause_millis, error)
      WHERE k.partition_no = p.partition_no AND k.id = p.id
      """;

  @Override
  public List<Sql> reschedule(List<ParkedEntry> failed) {
    return List.of(
        Sql.of(
            names.in(RESCHEDULE),
            array("int2", failed, p -> (short) p.position().partition()),
            array("int8", failed, p -> p.position().sequence()),
            array("int4", failed, ParkedEntry::attempts),
            array("int8", failed, p -> p.pause().toMillis()),
            array("text", failed, p -> Reason.cut(p.error()))));
  }

  /** Parameters: partitions, key hashes, the id of each key's row that stays head, or 0. */
  private static final String DEMOTE =
      """
      UPDATE outbox_parked AS k
      SET head = false
      FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS v (partition_no, key_hash, head)
      WHERE k.partition_no = v.partition_no
        AND k.key_hash = v.key_hash
        AND k.id <> v.head
        AND k.head
      """;

  @Override
  public List<Sql> demote(List<ParkedKey> keys) {
    return List.of(
        Sql.of(
            names.in(DEMOTE),
            array("int2", keys, key -> (short) key.partition()),
            array("int8", keys, ParkedKey::keyHash),
            array("int8", keys, ParkedKey::head)));
  }

  /** Parameters: partitions, key hashes. */
  private static final String PROMOTE =
      """
      UPDATE outbox_parked AS k
      SET head = true, due_at = statement_timestamp()
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, key_hash)
      CROSS JOIN LATERAL (
        SELECT p.id
        FROM outbox_parked AS p
        WHERE p.partition_no = v.partition_no AND p.key_hash = v.key_hash AND NOT p.head
        ORDER BY p.id
        LIMIT 1) AS lowest
      WHERE k.partition_no = v.partition_no
        AND k.id = lowest.id
        AND NOT EXISTS (
          SELECT 1
          FROM outbox_parked AS h
          WHERE h.partition_no = v.partition_no AND h.key_hash = v.key_hash AND h.head)
        AND NOT EXISTS (
          SELECT 1
          FROM outbox_dead AS d
          WHERE d.partition_no = v.partition_no AND d.key_hash = v.key_hash AND d.blocks_key)
      """;

  @Override
  public List<Sql> promote(List<ParkedKey> keys) {
    return List.of(ofKeys(PROMOTE, keys));
  }

  /** Parameters: partitions, key hashes. */
  private static final String STILL_PARKED =
      """
      SELECT v.key_hash
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, key_hash)
      CROSS JOIN LATERAL (
        SELECT 1
        FROM outbox_parked AS p
        WHERE p.partition_no = v.partition_no AND p.key_hash = v.key_hash
        LIMIT 1) AS parked
      """;

  @Override
  public Sql stillParked(List<ParkedKey> keys) {
    return ofKeys(STILL_PARKED, keys);
  }

  private Sql ofKeys(String text, List<ParkedKey> keys) {
    return Sql.of(
        names.in(text),
        array("int2", keys, key -> (short) key.partition()),
        array("int8", keys, ParkedKey::keyHash));
  }

  /** Parameters: partitions, ids, key hashes, attempts, reasons, whether the key is blocked. */
  private static final String BURY =
      """
      WITH b AS MATERIALIZED (
        SELECT *
        FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::boolean[])
          AS b (partition_no, id, key_hash, attempts, reason, blocks_key)),
      unsent AS (
        DELETE FROM outbox AS o
        USING b
        WHERE o.partition_no = b.partition_no AND o.id = b.id
        RETURNING
          o.id, o.partition_no, b.key_hash, b.blocks_key, b.attempts, b.reason, o.created_at,
          o.message_id, o.destination, o.message_key, o.message_type, o.headers, o.business_type,
          o.business_key, o.created_by, o.updated_by, o.payload),
      parked AS (
        DELETE FROM outbox_parked AS k
        USING b
        WHERE k.partition_no = b.partition_no AND k.id = b.id
        RETURNING
          k.id, k.partition_no, b.key_hash, b.blocks_key, b.attempts, b.reason, k.created_at,
          k.message_id, k.destination, k.message_key, k.message_type, k.headers, k.business_type,
          k.business_key, k.created_by, k.updated_by, k.payload)
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, created_at,
        message_id, destination, message_key, message_type, headers, business_type,
        business_key, created_by, updated_by, payload)
      SELECT * FROM unsent
      UNION ALL
      SELECT * FROM parked
      """;

  @Override
  public List<Sql> bury(List<DeadEntry> burials) {
    return List.of(
        Sql.of(
            names.in(BURY),
            array("int2", burials, b -> (short) b.position().partition()),
            array("int8", burials, b -> b.position().sequence()),
            array("int8", burials, DeadEntry::keyHash),
            array("int4", burials, DeadEntry::attempts),
            array("text", burials, b -> Reason.cut(b.reason())),
            array("bool", burials, DeadEntry::blocksKey)));
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed
      WHERE due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return Sql.of(names.in(ANY_DUE), partitionArray(partitions));
  }

  /** Parameters: partitions, microseconds to look ahead, partitions. */
  private static final String GLANCE =
      """
      SELECT
        (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM outbox_id_seq),
        EXISTS (
          SELECT 1
          FROM outbox_parked
          WHERE head AND due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])),
        (SELECT ceil(extract(epoch FROM due_at - statement_timestamp()) * 1000000)::bigint
          FROM outbox_delayed
          WHERE due_at <= statement_timestamp() + ?::bigint * interval '1 microsecond'
            AND partition_no = ANY (?::smallint[])
          ORDER BY due_at
          LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    return Sql.of(
        names.in(GLANCE),
        partitionArray(partitions),
        ahead.toNanos() / 1_000,
        partitionArray(partitions));
  }

  /** A message counts as written when it became due. Parameters: partitions, limit. */
  private static final String ENQUEUE_DUE =
      """
      WITH due AS (
        SELECT id
        FROM outbox_delayed
        WHERE due_at <= statement_timestamp() AND partition_no = ANY (?::smallint[])
        ORDER BY due_at, id
        LIMIT ?),
      gone AS (
        DELETE FROM outbox_delayed AS d
        USING due
        WHERE d.id = due.id
        RETURNING d.*)
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        greatest(due_at, created_at), partition_no, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload
      FROM gone
      ORDER BY due_at, id
      RETURNING partition_no, id
      """;

  public Sql enqueueDue(Collection<Integer> partitions, int limit) {
    return Sql.of(names.in(ENQUEUE_DUE), partitionArray(partitions), limit);
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    return enqueueDue(partitions, limit)
        .query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
  }

  // ---- dead letters

  /** Parameter: message ids. */
  private static final String DEAD_OF =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        payload, business_type, business_key, created_by, attempts, created_at,
        reason, dead_since, blocks_key
      FROM outbox_dead
      WHERE message_id = ANY (?::uuid[])
      ORDER BY id, partition_no
      """;

  @Override
  public Sql deadOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_OF), uuidArray(ids));
  }

  /** Parameter: message ids. */
  private static final String DEAD_KEYS_OF =
      """
      SELECT partition_no, key_hash, blocks_key, message_id
      FROM outbox_dead
      WHERE message_id = ANY (?::uuid[])
      """;

  @Override
  public Sql deadKeysOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_KEYS_OF), uuidArray(ids));
  }

  /** Parameters: message ids, who. */
  private static final String REQUEUE_BLOCKING =
      """
      WITH gone AS (
        DELETE FROM outbox_dead
        WHERE message_id = ANY (?::uuid[]) AND blocks_key
        RETURNING *)
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        partition_no, id, key_hash, false, statement_timestamp(), 0, reason, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, ?, payload
      FROM gone
      """;

  @Override
  public List<Sql> requeueBlocking(Collection<UUID> ids, String by) {
    return List.of(Sql.of(names.in(REQUEUE_BLOCKING), uuidArray(ids), by));
  }

  /** Parameters: message ids, who. */
  private static final String REQUEUE_OTHERS =
      """
      WITH gone AS (
        DELETE FROM outbox_dead
        WHERE message_id = ANY (?::uuid[]) AND NOT blocks_key
        RETURNING *)
      INSERT INTO outbox (
        partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, ?, payload
      FROM gone
      ORDER BY id
      """;

  @Override
  public List<Sql> requeueOthers(Collection<UUID> ids, String by) {
    return List.of(Sql.of(names.in(REQUEUE_OTHERS), uuidArray(ids), by));
  }

  /** Parameter: message ids. */
  private static final String DISCARD =
      """
      DELETE FROM outbox_dead
      WHERE message_id = ANY (?::uuid[])
      """;

  @Override
  public Sql discard(Collection<UUID> ids) {
    return Sql.of(names.in(DISCARD), uuidArray(ids));
  }

  // ---- retention

  /**
   * The rows lie in the order of time, so the oldest come first. Parameters: age in milliseconds,
   * limit.
   */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent_default
      WHERE ctid = ANY (ARRAY (
        SELECT ctid
        FROM outbox_sent_default
        WHERE sent_at < statement_timestamp() - ? * interval '1 millisecond'
        LIMIT ?))
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), age.toMillis(), limit);
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_DEDUP =
      """
      DELETE FROM outbox_dedup
      WHERE ctid = ANY (ARRAY (
        SELECT ctid
        FROM outbox_dedup
        WHERE created_at < statement_timestamp() - ? * interval '1 millisecond'
        LIMIT ?))
      """;

  public Sql trimDedup(Duration age, int limit) {
    return Sql.of(names.in(TRIM_DEDUP), age.toMillis(), limit);
  }

  @Override
  public int trimDedup(Connection connection, Duration age, int limit) throws SQLException {
    return trimDedup(age, limit).run(connection);
  }

  // ---- markers of local transactions

  /** Parameters: type, key, outcome. */
  private static final String INSERT_MARKER =
      """
      INSERT INTO outbox_marker (marker_type, marker_key, outcome)
      VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  @Override
  public boolean isLockTimeout(SQLException e) {
    return LOCK_NOT_AVAILABLE.equals(e.getSQLState()) || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return DEADLOCK.equals(e.getSQLState());
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_MARKERS =
      """
      DELETE FROM outbox_marker
      WHERE ctid = ANY (ARRAY (
        SELECT ctid
        FROM outbox_marker
        WHERE created_at < statement_timestamp() - ? * interval '1 millisecond'
        ORDER BY created_at
        LIMIT ?))
      """;

  public Sql trimMarkers(Duration age, int limit) {
    return Sql.of(names.in(TRIM_MARKERS), age.toMillis(), limit);
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    return trimMarkers(age, limit).run(connection);
  }

  // ---- leases; clock_timestamp() because a wait for a lock must not turn time back

  /** Parameters: keyed, keyless. */
  private static final String SET_PARTITIONING =
      """
      UPDATE outbox_schema
      SET partitions_keyed = ?, partitions_keyless = ?
      WHERE partitions_keyed IS NULL
      """;

  @Override
  public Sql setPartitioning(int keyed, int keyless) {
    return Sql.of(names.in(SET_PARTITIONING), keyed, keyless);
  }

  private static final String PARTITIONING =
      """
      SELECT partitions_keyed, partitions_keyless
      FROM outbox_schema
      """;

  @Override
  public Sql partitioning() {
    return Sql.of(names.in(PARTITIONING));
  }

  /** Parameters: epoch, partitions. */
  private static final String ADD_LEASES =
      """
      INSERT INTO outbox_lease (partition_no, epoch)
      SELECT partition_no, ? FROM unnest(?::smallint[]) AS p (partition_no)
      ON CONFLICT DO NOTHING
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    return List.of(Sql.of(names.in(ADD_LEASES), epoch, partitionArray(partitions)));
  }

  /** Parameters: milliseconds to live, whether it takes part, incarnation, name, not before. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node
      SET expires_at = clock_timestamp() + ? * interval '1 millisecond', taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND (extract(epoch FROM expires_at) * 1000000)::bigint >= ?
      """;

  @Override
  public Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore) {
    return Sql.of(
        names.in(REFRESH_NODE),
        ttl.toMillis(),
        takingPart,
        node.incarnation(),
        node.name(),
        notBefore);
  }

  /** Parameter: incarnation. */
  private static final String EXPIRES_AT =
      """
      SELECT (extract(epoch FROM expires_at) * 1000000)::bigint
      FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public Sql expiresAt(UUID incarnation) {
    return Sql.of(names.in(EXPIRES_AT), incarnation);
  }

  /** Parameters: name, incarnation. */
  private static final String RETIRE_NAMESAKES =
      """
      UPDATE outbox_node
      SET node = NULL, taking_part = false
      WHERE node = ? AND incarnation <> ? AND expires_at <= clock_timestamp()
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node AS n
      WHERE (n.incarnation = ? AND n.node IS NULL)
        OR (n.expires_at < clock_timestamp() - interval '1 day'
          AND NOT EXISTS (SELECT 1 FROM outbox_lease AS l WHERE l.incarnation = n.incarnation))
      """;

  @Override
  public List<Sql> retireNodes(NodeId node) {
    return List.of(
        Sql.of(names.in(RETIRE_NAMESAKES), node.name(), node.incarnation()),
        Sql.of(names.in(FORGET_RETIRED), node.incarnation()));
  }

  /** Parameters: incarnation, name, milliseconds to live, whether it takes part. */
  private static final String ENTER_NODE =
      """
      INSERT INTO outbox_node (incarnation, node, expires_at, taking_part)
      VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond', ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE), node.incarnation(), node.name(), ttl.toMillis(), takingPart);
  }

  /**
   * Parameter: milliseconds. Every name comes after the empty one, and every partition after the
   * lowest number: with a condition on an index the plan is cheap, which would take parallel
   * workers otherwise.
   */
  private static final String MEMBERS =
      """
      SELECT
        NULL::smallint, node, incarnation, (extract(epoch FROM expires_at) * 1000000)::bigint,
        expires_at > clock_timestamp(), taking_part,
        expires_at > clock_timestamp() + ? * interval '1 millisecond'
      FROM outbox_node
      WHERE node > ''
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, false, false, false
      FROM outbox_lease
      WHERE partition_no >= -32768 AND incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), ahead.toMillis());
  }

  /** Parameters: milliseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = clock_timestamp() + ? * interval '1 millisecond'
      WHERE expires_at > clock_timestamp() + ? * interval '1 millisecond'
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), ttl.toMillis(), ahead.toMillis());
  }

  /** By way of JSON: tables of an earlier version have no such column, which fails otherwise. */
  private static final String SOURCE =
      """
      SELECT (SELECT (to_jsonb(s) ->> 'source')::uuid FROM outbox_schema AS s)
      """;

  @Override
  public Sql source() {
    return Sql.of(names.in(SOURCE));
  }

  /** The cluster and its timeline, which begins anew with each promotion and each restore. */
  private static final String SERVER =
      """
      SELECT
        CASE WHEN pg_is_in_recovery() THEN NULL ELSE
          (SELECT system_identifier FROM pg_control_system())
            || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        END,
        NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
      """;

  @Override
  public Sql server() {
    return Sql.of(SERVER);
  }

  @Override
  public Sql sourceAndServer() {
    return Sql.of(
        SERVER.replaceFirst("SELECT", Matcher.quoteReplacement(source().text().strip() + ",")));
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT INTO outbox_schema (version, source) VALUES (1, ?) ON CONFLICT DO NOTHING
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), source);
  }

  /** Parameter: partitions. */
  private static final String LOCK_PARTITIONS =
      """
      SELECT partition_no
      FROM outbox_lease
      WHERE partition_no = ANY (?::smallint[])
      ORDER BY partition_no
      FOR UPDATE
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(names.in(LOCK_PARTITIONS), partitionArray(partitions));
  }

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of();
  }

  /** Locks, too: a heartbeat waits and then sees the new owner. Parameters: partitions, margin. */
  private static final String EXPIRED =
      """
      SELECT n.incarnation
      FROM outbox_node AS n
      WHERE n.incarnation IN (
          SELECT l.incarnation FROM outbox_lease AS l WHERE l.partition_no = ANY (?::smallint[]))
        AND n.expires_at <= clock_timestamp() - ? * interval '1 millisecond'
      ORDER BY n.incarnation
      FOR UPDATE
      """;

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return Sql.of(names.in(EXPIRED), partitionArray(partitions), margin.toMillis());
  }

  /** Parameters: name, incarnation, partitions, incarnation, expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l
      SET node = ?, incarnation = ?, epoch = l.epoch + 1
      WHERE l.partition_no = ANY (?::smallint[])
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR l.incarnation = ANY (?::uuid[])
          OR NOT EXISTS (SELECT 1 FROM outbox_node AS n WHERE n.incarnation = l.incarnation))
      """;

  @Override
  public Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired) {
    return Sql.of(
        names.in(TAKE),
        node.name(),
        node.incarnation(),
        partitionArray(partitions),
        node.incarnation(),
        uuidArray(expired));
  }

  /** Parameters: incarnation, partitions. */
  private static final String LEASES_OF =
      """
      SELECT partition_no, epoch
      FROM outbox_lease
      WHERE incarnation = ? AND partition_no = ANY (?::smallint[])
      """;

  @Override
  public Sql leasesOf(NodeId node, Collection<Integer> partitions) {
    return Sql.of(names.in(LEASES_OF), node.incarnation(), partitionArray(partitions));
  }

  /** Parameters: transports, incarnation. */
  private static final String NOTE_TRANSPORTS =
      """
      UPDATE outbox_node
      SET transports = ?
      WHERE incarnation = ?
      """;

  @Override
  public Sql noteTransports(NodeId node, String transports) {
    return Sql.of(names.in(NOTE_TRANSPORTS), transports, node.incarnation());
  }

  private static final String TRANSPORTS =
      """
      SELECT node, incarnation, transports
      FROM outbox_node
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > clock_timestamp()
      """;

  @Override
  public Sql transports() {
    return Sql.of(names.in(TRANSPORTS));
  }

  /** Parameters: name, incarnation, partition, node, incarnation, epoch. */
  private static final String HAND_OVER =
      """
      UPDATE outbox_lease
      SET node = ?, incarnation = ?
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public Sql handOver(Lease lease, NodeId to) {
    return Sql.of(
        names.in(HAND_OVER),
        to.name(),
        to.incarnation(),
        lease.partition(),
        lease.node().name(),
        lease.node().incarnation(),
        lease.epoch());
  }

  /** Parameters: partitions, nodes, incarnations, epochs. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease AS l
      SET node = NULL, incarnation = NULL
      FROM unnest(?::smallint[], ?::text[], ?::uuid[], ?::bigint[])
        AS held (partition_no, node, incarnation, epoch)
      WHERE l.partition_no = held.partition_no
        AND l.node = held.node
        AND l.incarnation = held.incarnation
        AND l.epoch = held.epoch
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return List.of(held(RELEASE, leases));
  }

  /** Parameter: incarnation. */
  private static final String FREE_ALL =
      """
      UPDATE outbox_lease
      SET node = NULL, incarnation = NULL
      WHERE incarnation = ?
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_NODE =
      """
      DELETE FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public List<Sql> leave(NodeId node) {
    return List.of(
        Sql.of(names.in(FREE_ALL), node.incarnation()),
        Sql.of(names.in(FORGET_NODE), node.incarnation()));
  }

  // ---- arrays

  private Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        names.in(text),
        array("int2", positions, p -> (short) p.partition()),
        array("int8", positions, Position::sequence));
  }

  private Sql held(String text, Collection<Lease> leases) {
    return Sql.of(
        names.in(text),
        array("int2", leases, l -> (short) l.partition()),
        array("text", leases, l -> l.node().name()),
        array("uuid", leases, l -> l.node().incarnation()),
        array("int8", leases, Lease::epoch));
  }

  private static ArrayValue partitionArray(Collection<Integer> partitions) {
    return array("int2", partitions, Integer::shortValue);
  }

  private static ArrayValue uuidArray(Collection<UUID> ids) {
    return array("uuid", ids, id -> id);
  }

  private static <T> ArrayValue array(
      String type, Collection<T> rows, Function<T, @Nullable Object> column) {
    List<@Nullable Object> elements = new ArrayList<>(rows.size());
    for (T row : rows) {
      elements.add(column.apply(row));
    }
    return new ArrayValue(type, elements);
  }

  private static final String CAN_COMMIT = "SELECT 1";

  /**
   * After an error the server takes no statement and rolls back instead of committing, which
   * drivers need not tell. Costs no statement with PostgreSQL's own driver.
   */
  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return () -> {
      if (!PostgresDriver.canCommit(connection)) {
        Sql.of(CAN_COMMIT).run(connection);
      }
    };
  }
}
