package io.angarium.jdbc.internal.dialect;

import io.angarium.BusinessKey;
import io.angarium.half.Marker;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.catalogue.H2TableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.ObservedTransaction;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.internal.sql.Versions;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * H2 2.4.240 or newer, in memory, in a file or as a server. Statements are cheap in one process, so
 * rare writes go row by row. CURRENT_TIMESTAMP is the start of the transaction, which makes leases
 * end early rather than late.
 */
public final class H2Dialect implements DirtyReads {
  private static final String VERSION_MIN = "2.4.240";
  private static final int INSERT_MAX = 1_000;

  /** SQLState of a broken unique key. */
  private static final String DUPLICATE = "23505";

  private static final String LOCK_TIMEOUT = "HYT00";
  private static final String DEADLOCK = "40001";

  private final TableNames names;

  public H2Dialect(TableNames names) {
    this.names = names;
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return "H2";
  }

  @Override
  public String folder() {
    return "h2";
  }

  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    return Map.of();
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings) {
    return Map.of();
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before) {
    // nothing was changed
  }

  @Override
  public void lockForCreate(Connection connection) {
    // a table that another process creates at the same time fails, and is tried again
  }

  /**
   * One for all databases of the process, which most of them belong to. H2 does not notice it if
   * two threads that alter tables each hold what the other one needs: both wait until a lock times
   * out. A catalogue that is read meanwhile may lack values, or the read fails.
   */
  @Override
  public Object createMonitor() {
    return H2Dialect.class;
  }

  @Override
  public String describeServer(Connection connection) {
    return database();
  }

  @Override
  public TableDialect tables() {
    return new H2TableDialect(names);
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    String version = connection.getMetaData().getDatabaseProductVersion().split(" ", 2)[0];
    List<String> faults = new ArrayList<>();
    if (!Versions.atLeast(version, VERSION_MIN)) {
      faults.add(
          "H2: "
              + version
              + " (expected: "
              + VERSION_MIN
              + " or newer); under Spring Boot 3.5 set the property h2.version of the build");
    }
    MERGING_SETTINGS.forEach(
        connection,
        row ->
            faults.add(
                row.getString(1)
                    + ": "
                    + row.getString(2)
                    + " (expected: not set, or different keys count as the same); take it out of"
                    + " the URL and open a new database"));
    MODES_WITHOUT_LIMIT.forEach(
        connection,
        row ->
            faults.add(
                "MODE: "
                    + row.getString(1)
                    + " (expected: none, or that of PostgreSQL, MariaDB, MySQL, DB2, HSQLDB or LEGACY,"
                    + " as the others take no LIMIT); take it out of the URL"));
    return faults;
  }

  private static final Sql MODES_WITHOUT_LIMIT =
      Sql.of(
          """
          SELECT SETTING_VALUE
          FROM INFORMATION_SCHEMA.SETTINGS
          WHERE SETTING_NAME = 'MODE'
            AND SETTING_VALUE IN ('Oracle', 'MSSQLServer', 'Derby', 'STRICT')
          """);

  /** Settings under which different texts are equal. */
  private static final Sql MERGING_SETTINGS =
      Sql.of(
          """
          SELECT SETTING_NAME, SETTING_VALUE
          FROM INFORMATION_SCHEMA.SETTINGS
          WHERE (SETTING_NAME = 'IGNORECASE' AND SETTING_VALUE NOT IN ('0', 'FALSE'))
            OR (SETTING_NAME = 'COLLATION' AND SETTING_VALUE <> 'OFF')
          """);

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class));
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class)).toInstant();
  }

  // ---- written by producers

  @Override
  public int insertMax() {
    return INSERT_MAX;
  }

  /** Parameters: one per column, for each row. */
  private static final String INSERT =
      """
      SELECT id, created_at
      FROM FINAL TABLE (
        INSERT INTO outbox (
          partition_no, message_id, destination, message_key, message_type, headers,
          business_type, business_key, created_by, payload)
        VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
          })
      """;

  public Sql insert(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 10);
    messages.forEach(message -> parameters.addAll(MessageColumn.values(message)));
    return new Sql(Repeated.times(names.in(INSERT), messages.size()), parameters);
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return insert(messages).query(connection, row -> new Inserted(row.getLong(1), instant(row, 2)));
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return insert(connection, messages).size();
  }

  /** Parameters: due time and one per column, for each row. */
  private static final String INSERT_DELAYED =
      """
      INSERT INTO outbox_delayed (
        due_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload)
      VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      """;

  @Override
  public Sql insertDelayed(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 11);
    for (NewMessage message : messages) {
      parameters.add(MessageColumn.dueAt(message).atOffset(ZoneOffset.UTC));
      parameters.addAll(MessageColumn.values(message));
    }
    return new Sql(Repeated.times(names.in(INSERT_DELAYED), messages.size()), parameters);
  }

  /** Parameters: type, key, message id. */
  private static final String CLAIM_BUSINESS_KEY =
      """
      INSERT INTO outbox_dedup (business_type, business_key, message_id)
      VALUES (?, ?, ?)
      """;

  public Sql claimBusinessKey(NewMessage message) {
    BusinessKey business = Objects.requireNonNull(message.message().business());
    return Sql.of(
        names.in(CLAIM_BUSINESS_KEY), business.type(), business.key(), message.id().value());
  }

  // A broken unique key ends the statement, not the transaction.
  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    Set<UUID> claimed = new HashSet<>();
    for (NewMessage message : messages) {
      try {
        claimBusinessKey(message).update(connection);
        claimed.add(message.id().value());
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return claimed;
  }

  /** Parameter: message ids. */
  private static final String RELEASE_BUSINESS_KEYS =
      """
      DELETE FROM outbox_dedup
      WHERE message_id = ANY (?)
      """;

  @Override
  public Sql releaseBusinessKeys(List<NewMessage> messages) {
    return Sql.of(names.in(RELEASE_BUSINESS_KEYS), array("UUID", messages, m -> m.id().value()));
  }

  // ---- read by the relay

  /**
   * Parameters: most bytes of a payload, partition, exclusive lower end, inclusive upper end,
   * limit, for each span.
   */
  private static final String READ =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY partition_no, id
      LIMIT ?)|
      UNION ALL
      }
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    List<@Nullable Object> parameters = new ArrayList<>(spans.size() * 5);
    for (SequenceRange span : spans) {
      parameters.addAll(List.of(inline, span.partition(), span.after(), span.upTo(), limitPerSpan));
    }
    return new Sql(Repeated.times(names.in(READ), spans.size()), parameters);
  }

  /** Parameters: schema or null, name of the sequence. */
  private static final String LAST_SEQUENCE =
      """
      SELECT BASE_VALUE - 1
      FROM INFORMATION_SCHEMA.SEQUENCES
      WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
        AND UPPER(SEQUENCE_NAME) = UPPER(?)
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      ALTER SEQUENCE outbox_seq RESTART WITH :next
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":next", Long.toString(next)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(LAST_SEQUENCE, names.schema(), names.prefix() + "_seq");
  }

  /** Parameters: exclusive lower end, inclusive upper end, limit. */
  private static final String IDS =
      """
      SELECT id
      FROM outbox
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql ids(long after, long upTo, int limit) {
    return Sql.of(names.in(IDS), after, upTo, limit);
  }

  /** Parameters: exclusive lower end, inclusive upper end. */
  private static final String HIGHEST_ID =
      """
      SELECT MAX(id)
      FROM outbox
      WHERE id > ? AND id <= ?
      """;

  @Override
  public Sql highestId(long told) {
    return Sql.of(names.in(HIGHEST_ID), told - AHEAD_MAX, told);
  }

  /**
   * Reads positions of all partitions. Parameters: exclusive lower end, inclusive upper end, limit.
   */
  private static final String POSITIONS =
      """
      SELECT partition_no, id
      FROM outbox
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  /** Parameters: partition, exclusive lower end, inclusive upper end, limit. */
  private static final String POSITIONS_OF_ONE =
      """
      SELECT partition_no, id
      FROM outbox
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY partition_no, id
      LIMIT ?
      """;

  @Override
  public Sql positions(Stretch stretch, int limit) {
    if (stretch.spans().size() == 1) {
      int partition = stretch.spans().get(0).partition();
      return Sql.of(names.in(POSITIONS_OF_ONE), partition, stretch.after(), stretch.upTo(), limit);
    }
    return Sql.of(names.in(POSITIONS), stretch.after(), stretch.upTo(), limit);
  }

  /** Parameters: most bytes of a payload, ids, partitions. */
  private static final String READ_AT =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      ORDER BY partition_no, id
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(READ_AT, positions));
  }

  /** Parameters: partitions, twice. */
  private static final String BLOCKED_KEYS =
      """
      SELECT partition_no, key_hash
      FROM outbox_parked
      WHERE partition_no = ANY (?) AND key_hash <> 0
      UNION
      SELECT partition_no, key_hash
      FROM outbox_dead
      WHERE partition_no = ANY (?) AND blocks_key
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
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked
      WHERE head = TRUE
        AND due_at <= CURRENT_TIMESTAMP(6)
        AND partition_no = ANY (?)
        AND NOT (destination = ANY (?))
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
        array("VARCHAR", except, destination -> destination),
        limit);
  }

  /** Parameters: most bytes of a payload, partition, key hash, limit. */
  private static final String PARKED_OF_KEY =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked
      WHERE partition_no = ? AND key_hash = ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql parkedOfKey(int partition, long keyHash, int limit, int inline) {
    return Sql.of(names.in(PARKED_OF_KEY), inline, partition, keyHash, limit);
  }

  /** Parameters: most bytes of a payload, ids, partitions. */
  private static final String PARKED_AT =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  @Override
  public Sql parkedAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(PARKED_AT, positions));
  }

  /** Parameters: the limit of each count, four times; schema or null, name of the sequence. */
  private static final String BACKLOG =
      """
      SELECT
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few)
          + (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT COALESCE(MIN(id), 0) FROM outbox),
        (SELECT BASE_VALUE - 1
          FROM INFORMATION_SCHEMA.SEQUENCES
          WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
            AND UPPER(SEQUENCE_NAME) = UPPER(?)),
        COALESCE((SELECT DATEDIFF(MILLISECOND, created_at, CURRENT_TIMESTAMP(6))
          FROM outbox
          ORDER BY id
          LIMIT 1), 0),
        (SELECT COUNT(*)
          FROM (
            SELECT 1
            FROM outbox_delayed
            WHERE due_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
            LIMIT ?) AS few)
      """;

  @Override
  public Sql backlog(int limit) {
    return Sql.of(
        names.in(BACKLOG),
        limit,
        limit,
        limit,
        limit,
        names.schema(),
        names.prefix() + "_seq",
        Backlog.OVERDUE_AFTER.toMillis(),
        limit);
  }

  // ---- written by the relay

  /** Parameters: ids, partitions. */
  private static final String LOCK_ROWS =
      """
      SELECT partition_no, id, message_id
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      ORDER BY id
      FOR UPDATE
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(LOCK_ROWS.stripTrailing() + " SKIP LOCKED\n", positions);
  }

  private Sql lockRows(List<Position> positions) {
    return atPositions(LOCK_ROWS, positions);
  }

  /** Exact ids only: a range would take unsent rows along. Parameters: ids, partitions. */
  private static final String DELETE =
      """
      DELETE FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  /** Parameters: ids, partitions. */
  private static final String COPY_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, 0, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM outbox
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  @Override
  public List<Sql> delete(List<Position> positions, boolean history) {
    Sql delete = atPositions(DELETE, positions);
    return history
        ? List.of(lockRows(positions), atPositions(COPY_TO_HISTORY, positions), delete)
        : List.of(delete);
  }

  /**
   * Changes nothing and holds the row. Parameters: partition, node, incarnation, epoch, for each.
   */
  private static final String FENCE =
      """
      UPDATE outbox_lease
      SET epoch = epoch
      WHERE {(partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?)|
        OR }
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    List<@Nullable Object> parameters = new ArrayList<>(leases.size() * 4);
    for (Lease lease : leases) {
      parameters.addAll(held(lease));
    }
    return new Sql(Repeated.times(names.in(FENCE), leases.size()), parameters);
  }

  private static List<Object> held(Lease lease) {
    NodeId node = lease.node();
    return List.of(lease.partition(), node.name(), node.incarnation(), lease.epoch());
  }

  /** Parameters: key hash, head, pause in milliseconds, attempts, error, head, id, partition. */
  private static final String COPY_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, attempted_at, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        partition_no, id, CAST(? AS BIGINT), CAST(? AS BOOLEAN),
        DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)),
        CAST(? AS INTEGER), CAST(? AS VARCHAR),
        CASE WHEN CAST(? AS BOOLEAN) THEN CURRENT_TIMESTAMP(6) END, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload
      FROM outbox
      WHERE id = ? AND partition_no = ?
      """;

  @Override
  public List<Sql> park(List<ParkedEntry> parkings) {
    List<Position> positions = parkings.stream().map(ParkedEntry::position).toList();
    List<Sql> statements = new ArrayList<>();
    statements.add(lockRows(positions));
    for (ParkedEntry p : parkings) {
      statements.add(
          Sql.of(
              names.in(COPY_TO_PARKED),
              p.keyHash(),
              p.head(),
              p.pause().toMillis(),
              p.attempts(),
              Reason.cut(p.error()),
              p.head(),
              p.position().sequence(),
              p.position().partition()));
    }
    statements.add(atPositions(DELETE, positions));
    return statements;
  }

  /** Parameters: ids, partitions. */
  private static final String LOCK_PARKED =
      """
      SELECT id
      FROM outbox_parked
      WHERE id = ANY (?) AND partition_no = ANY (?)
      ORDER BY id
      FOR UPDATE
      """;

  /** Parameters: ids, partitions. */
  private static final String DELETE_PARKED =
      """
      DELETE FROM outbox_parked
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  /** Parameters: ids, partitions. */
  private static final String COPY_PARKED_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, id, attempts, created_at, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, updated_by, payload
      FROM outbox_parked
      WHERE id = ANY (?) AND partition_no = ANY (?)
      """;

  @Override
  public List<Sql> deleteParked(List<Position> positions, boolean history) {
    Sql delete = atPositions(DELETE_PARKED, positions);
    return history
        ? List.of(
            atPositions(LOCK_PARKED, positions),
            atPositions(COPY_PARKED_TO_HISTORY, positions),
            delete)
        : List.of(delete);
  }

  /** Parameters: attempts, pause in milliseconds, error, id, partition. */
  private static final String RESCHEDULE =
      """
      UPDATE outbox_parked
      SET head = TRUE,
        attempts = ?,
        due_at = DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)),
        last_error = ?,
        attempted_at = CURRENT_TIMESTAMP(6)
      WHERE id = ? AND partition_no = ?
      """;

  @Override
  public List<Sql> reschedule(List<ParkedEntry> failed) {
    return failed.stream()
        .map(
            p ->
                Sql.of(
                    names.in(RESCHEDULE),
                    p.attempts(),
                    p.pause().toMillis(),
                    Reason.cut(p.error()),
                    p.position().sequence(),
                    p.position().partition()))
        .toList();
  }

  /** Parameters: partition, key hash, the id of the row that stays head, or 0. */
  private static final String DEMOTE =
      """
      UPDATE outbox_parked
      SET head = FALSE
      WHERE partition_no = ? AND key_hash = ? AND id <> ? AND head = TRUE
      """;

  @Override
  public List<Sql> demote(List<ParkedKey> keys) {
    return keys.stream()
        .map(key -> Sql.of(names.in(DEMOTE), key.partition(), key.keyHash(), key.head()))
        .toList();
  }

  /** Parameters: partition, key hash; four times. */
  private static final String PROMOTE =
      """
      UPDATE outbox_parked
      SET head = TRUE, due_at = CURRENT_TIMESTAMP(6)
      WHERE partition_no = ?
        AND key_hash = ?
        AND id = (SELECT MIN(id) FROM outbox_parked WHERE partition_no = ? AND key_hash = ?)
        AND NOT EXISTS (
          SELECT 1 FROM outbox_parked WHERE partition_no = ? AND key_hash = ? AND head = TRUE)
        AND NOT EXISTS (
          SELECT 1 FROM outbox_dead WHERE partition_no = ? AND key_hash = ? AND blocks_key)
      """;

  @Override
  public List<Sql> promote(List<ParkedKey> keys) {
    return keys.stream().map(this::promote).toList();
  }

  private Sql promote(ParkedKey key) {
    int partition = key.partition();
    long hash = key.keyHash();
    return Sql.of(
        names.in(PROMOTE), partition, hash, partition, hash, partition, hash, partition, hash);
  }

  /** A hash belongs to one partition only. Parameters: partitions, key hashes. */
  private static final String STILL_PARKED =
      """
      SELECT DISTINCT key_hash
      FROM outbox_parked
      WHERE partition_no = ANY (?) AND key_hash = ANY (?)
      """;

  @Override
  public Sql stillParked(List<ParkedKey> keys) {
    return Sql.of(
        names.in(STILL_PARKED),
        partitionArray(keys.stream().map(ParkedKey::partition).distinct().toList()),
        array("BIGINT", keys, ParkedKey::keyHash));
  }

  /** Parameters: key hash, whether it blocks its key, attempts, reason, id, partition. */
  private static final String COPY_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        id, partition_no, CAST(? AS BIGINT), CAST(? AS BOOLEAN), CAST(? AS INTEGER),
        CAST(? AS VARCHAR), created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload
      FROM outbox
      WHERE id = ? AND partition_no = ?
      """;

  /** Parameters: key hash, whether it blocks its key, attempts, reason, id, partition. */
  private static final String COPY_PARKED_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        id, partition_no, CAST(? AS BIGINT), CAST(? AS BOOLEAN), CAST(? AS INTEGER),
        CAST(? AS VARCHAR), created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload
      FROM outbox_parked
      WHERE id = ? AND partition_no = ?
      """;

  @Override
  public List<Sql> bury(List<DeadEntry> burials) {
    List<Position> positions = burials.stream().map(DeadEntry::position).toList();
    List<Sql> statements = new ArrayList<>();
    statements.add(lockRows(positions));
    statements.add(atPositions(LOCK_PARKED, positions));
    for (DeadEntry burial : burials) {
      statements.add(buried(COPY_TO_DEAD, burial));
      statements.add(buried(COPY_PARKED_TO_DEAD, burial));
    }
    statements.add(atPositions(DELETE, positions));
    statements.add(atPositions(DELETE_PARKED, positions));
    return statements;
  }

  private Sql buried(String text, DeadEntry burial) {
    return Sql.of(
        names.in(text),
        burial.keyHash(),
        burial.blocksKey(),
        burial.attempts(),
        Reason.cut(burial.reason()),
        burial.position().sequence(),
        burial.position().partition());
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed
      WHERE due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return Sql.of(names.in(ANY_DUE), partitionArray(partitions));
  }

  /**
   * Parameters: schema or null, name of the sequence, partitions, microseconds to look ahead,
   * partitions.
   */
  private static final String GLANCE =
      """
      SELECT
        (SELECT BASE_VALUE - 1
          FROM INFORMATION_SCHEMA.SEQUENCES
          WHERE SEQUENCE_SCHEMA = COALESCE(?, CURRENT_SCHEMA)
            AND UPPER(SEQUENCE_NAME) = UPPER(?)),
        EXISTS (
          SELECT 1
          FROM outbox_parked
          WHERE head = TRUE AND due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)),
        (SELECT DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP(6), due_at)
          FROM outbox_delayed
          WHERE due_at <= DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP(6))
            AND partition_no = ANY (?)
          ORDER BY due_at
          LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    return Sql.of(
        names.in(GLANCE),
        names.schema(),
        names.prefix() + "_seq",
        partitionArray(partitions),
        ahead.toNanos() / 1_000,
        partitionArray(partitions));
  }

  /** Parameters: partitions, limit. */
  private static final String LOCK_DUE =
      """
      SELECT id
      FROM outbox_delayed
      WHERE due_at <= CURRENT_TIMESTAMP(6) AND partition_no = ANY (?)
      ORDER BY due_at, id
      LIMIT ?
      FOR UPDATE
      """;

  public Sql lockDue(Collection<Integer> partitions, int limit) {
    return Sql.of(names.in(LOCK_DUE), partitionArray(partitions), limit);
  }

  /** A message counts as written when it became due. Parameter: ids. */
  private static final String COPY_DUE =
      """
      SELECT partition_no, id
      FROM FINAL TABLE (
        INSERT INTO outbox (
          created_at, partition_no, message_id, destination, message_key, message_type, headers,
          business_type, business_key, created_by, updated_by, payload)
        SELECT
          GREATEST(due_at, created_at), partition_no, message_id, destination, message_key,
          message_type, headers, business_type, business_key, created_by, updated_by, payload
        FROM outbox_delayed
        WHERE id = ANY (?)
        ORDER BY due_at, id)
      """;

  /** Parameter: ids. */
  private static final String DELETE_DUE =
      """
      DELETE FROM outbox_delayed
      WHERE id = ANY (?)
      """;

  public List<Sql> moveDue(List<Long> ids) {
    ArrayValue due = array("BIGINT", ids, id -> id);
    return List.of(Sql.of(names.in(COPY_DUE), due), Sql.of(names.in(DELETE_DUE), due));
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    List<Sql> move = moveDue(lockDue(partitions, limit).query(connection, row -> row.getLong(1)));
    List<Position> moved =
        move.get(0).query(connection, row -> new Position(row.getInt(1), row.getLong(2)));
    move.get(1).update(connection);
    return moved;
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
      WHERE message_id = ANY (?)
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
      WHERE message_id = ANY (?)
      """;

  @Override
  public Sql deadKeysOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_KEYS_OF), uuidArray(ids));
  }

  /** Parameters: who, message ids. */
  private static final String COPY_DEAD_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        partition_no, id, key_hash, FALSE, CURRENT_TIMESTAMP(6), 0, reason, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, CAST(? AS VARCHAR), payload
      FROM outbox_dead
      WHERE message_id = ANY (?) AND blocks_key
      """;

  /** Parameter: message ids. */
  private static final String DELETE_BLOCKING =
      """
      DELETE FROM outbox_dead
      WHERE message_id = ANY (?) AND blocks_key
      """;

  @Override
  public List<Sql> requeueBlocking(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_PARKED), by, uuidArray(ids)),
        Sql.of(names.in(DELETE_BLOCKING), uuidArray(ids)));
  }

  /** Parameters: who, message ids. */
  private static final String COPY_DEAD_TO_OUTBOX =
      """
      INSERT INTO outbox (
        partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, CAST(? AS VARCHAR), payload
      FROM outbox_dead
      WHERE message_id = ANY (?) AND NOT blocks_key
      ORDER BY id
      """;

  /** Parameter: message ids. */
  private static final String DELETE_OTHERS =
      """
      DELETE FROM outbox_dead
      WHERE message_id = ANY (?) AND NOT blocks_key
      """;

  @Override
  public List<Sql> requeueOthers(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_OUTBOX), by, uuidArray(ids)),
        Sql.of(names.in(DELETE_OTHERS), uuidArray(ids)));
  }

  /** Parameter: message ids. */
  private static final String DISCARD =
      """
      DELETE FROM outbox_dead
      WHERE message_id = ANY (?)
      """;

  @Override
  public Sql discard(Collection<UUID> ids) {
    return Sql.of(names.in(DISCARD), uuidArray(ids));
  }

  // ---- retention

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent
      WHERE sent_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), age.toMillis(), limit);
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_DEDUP =
      """
      DELETE FROM outbox_dedup
      WHERE created_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
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
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  @Override
  public boolean addMarker(Connection connection, Marker marker, String outcome)
      throws SQLException {
    try {
      return insertMarker(marker, outcome).update(connection) == 1;
    } catch (SQLException e) {
      if (DUPLICATE.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public boolean isLockTimeout(SQLException e) {
    return LOCK_TIMEOUT.equals(e.getSQLState()) || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return DEADLOCK.equals(e.getSQLState());
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_MARKERS =
      """
      DELETE FROM outbox_marker
      WHERE created_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
      """;

  public Sql trimMarkers(Duration age, int limit) {
    return Sql.of(names.in(TRIM_MARKERS), age.toMillis(), limit);
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    return trimMarkers(age, limit).run(connection);
  }

  // ---- leases

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

  /** Parameter: partition. */
  private static final String ADD_LEASE =
      """
      MERGE INTO outbox_lease AS l
      USING (VALUES (CAST(? AS SMALLINT))) AS p (partition_no)
      ON l.partition_no = p.partition_no
      WHEN NOT MATCHED THEN INSERT (partition_no, epoch) VALUES (p.partition_no, ?)
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    return partitions.stream().map(p -> Sql.of(names.in(ADD_LEASE), p, epoch)).toList();
  }

  /** Parameters: milliseconds to live, whether it takes part, incarnation, name. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node
      SET expires_at = DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)), taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at)
          >= ?
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
      SELECT DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at)
      FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public Sql expiresAt(UUID incarnation) {
    return Sql.of(names.in(EXPIRES_AT), incarnation);
  }

  private static final String SERVER =
      """
      SELECT CAST(NULL AS VARCHAR), TRUE
      """;

  @Override
  public Sql server() {
    return Sql.of(SERVER);
  }

  private static final String SOURCE_AND_SERVER =
      """
      SELECT (SELECT source FROM outbox_schema), CAST(NULL AS VARCHAR), TRUE
      """;

  @Override
  public Sql sourceAndServer() {
    return Sql.of(names.in(SOURCE_AND_SERVER));
  }

  /** Parameters: name, incarnation. */
  private static final String RETIRE_NAMESAKES =
      """
      UPDATE outbox_node
      SET node = NULL, taking_part = FALSE
      WHERE node = ? AND incarnation <> ? AND expires_at <= CURRENT_TIMESTAMP(6)
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node AS n
      WHERE (n.incarnation = ? AND n.node IS NULL)
        OR (n.expires_at < DATEADD(DAY, -1, CURRENT_TIMESTAMP(6))
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
      VALUES (?, ?, DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6)), ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE), node.incarnation(), node.name(), ttl.toMillis(), takingPart);
  }

  /** Parameter: milliseconds. */
  private static final String MEMBERS =
      """
      SELECT
        CAST(NULL AS SMALLINT), node, incarnation,
        DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', expires_at),
        expires_at > CURRENT_TIMESTAMP(6), taking_part,
        expires_at > DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      FROM outbox_node
      WHERE node IS NOT NULL
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, FALSE, FALSE, FALSE
      FROM outbox_lease
      WHERE incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), ahead.toMillis());
  }

  /** Parameters: milliseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      WHERE expires_at > DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), ttl.toMillis(), ahead.toMillis());
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT INTO outbox_schema (version, source)
      SELECT 1, ? WHERE NOT EXISTS (SELECT 1 FROM outbox_schema)
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), source);
  }

  /** Changes nothing and holds the rows. Parameter: partitions. */
  private static final String LOCK_PARTITIONS =
      """
      UPDATE outbox_lease
      SET epoch = epoch
      WHERE partition_no = ANY (?)
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(names.in(LOCK_PARTITIONS), partitionArray(partitions));
  }

  /** Changes nothing and holds the rows. Parameters: margin in milliseconds, partitions. */
  private static final String LOCK_EXPIRED =
      """
      UPDATE outbox_node
      SET expires_at = expires_at
      WHERE expires_at <= DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
        AND incarnation IN (
          SELECT incarnation FROM outbox_lease WHERE partition_no = ANY (?))
      """;

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of(Sql.of(names.in(LOCK_EXPIRED), margin.toMillis(), partitionArray(partitions)));
  }

  /** Parameters: margin in milliseconds, partitions. */
  private static final String EXPIRED =
      """
      SELECT incarnation
      FROM outbox_node
      WHERE expires_at <= DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
        AND incarnation IN (
          SELECT incarnation FROM outbox_lease WHERE partition_no = ANY (?))
      """;

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return Sql.of(names.in(EXPIRED), margin.toMillis(), partitionArray(partitions));
  }

  /** Parameters: name, incarnation, partitions, incarnation, expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l
      SET node = ?, incarnation = ?, epoch = l.epoch + 1
      WHERE l.partition_no = ANY (?)
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR l.incarnation = ANY (?)
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
      WHERE incarnation = ? AND partition_no = ANY (?)
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
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > CURRENT_TIMESTAMP(6)
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

  /** Parameters: partition, node, incarnation, epoch. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease
      SET node = NULL, incarnation = NULL
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return leases.stream().map(lease -> Sql.of(names.in(RELEASE), held(lease).toArray())).toList();
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

  private static Sql bounded(int inline, Sql sql) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  private Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        names.in(text),
        array("BIGINT", positions, Position::sequence),
        array("SMALLINT", positions, Position::partition));
  }

  private static ArrayValue partitionArray(Collection<Integer> partitions) {
    return array("SMALLINT", partitions, partition -> partition);
  }

  private static ArrayValue uuidArray(Collection<UUID> ids) {
    return array("UUID", ids, id -> id);
  }

  private static <T> ArrayValue array(
      String type, Collection<T> rows, Function<T, @Nullable Object> column) {
    List<@Nullable Object> elements = new ArrayList<>(rows.size());
    for (T row : rows) {
      elements.add(column.apply(row));
    }
    return new ArrayValue(type, elements);
  }

  /** How the SQLStates begin of errors after which H2 has rolled back. */
  private static final String ROLLED_BACK = "40";

  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return new ObservedTransaction(
        connection,
        open,
        (c, failure) -> String.valueOf(failure.getSQLState()).startsWith(ROLLED_BACK),
        H2Dialect::marked);
  }

  private static final String TRANSACTION = "CALL TRANSACTION_ID()";

  /** Tells a transaction from the next by its number; null as long as it has written nothing. */
  public static @Nullable TransactionWatch marked(Connection connection) throws SQLException {
    String begun = transaction(connection);
    return begun == null
        ? null
        : () -> {
          if (!begun.equals(transaction(connection))) {
            throw new SQLException(
                "The transaction was rolled back and another one begun", "40000");
          }
        };
  }

  private static @Nullable String transaction(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TRANSACTION);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getString(1) : null;
    }
  }
}
