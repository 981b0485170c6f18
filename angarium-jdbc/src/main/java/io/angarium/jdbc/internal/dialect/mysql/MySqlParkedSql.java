package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.atPositions;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.bounded;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ParkedSql;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.ParkedEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parked messages on MySQL and MariaDB. */
public final class MySqlParkedSql implements ParkedSql {
  private final TableNames names;
  private final MySqlVariant variant;
  private final MySqlOutboxSql outbox;

  MySqlParkedSql(TableNames names, MySqlVariant variant, MySqlOutboxSql outbox) {
    this.names = names;
    this.variant = variant;
    this.outbox = outbox;
  }

  /** Parameters: partitions, twice. */
  private static final String BLOCKED_KEYS =
      """
      SELECT partition_no, key_hash
      FROM outbox_parked FORCE INDEX (by_key)
      WHERE partition_no IN ({?|, }) AND key_hash <> 0
      UNION
      SELECT partition_no, key_hash
      FROM outbox_dead FORCE INDEX (by_key)
      WHERE partition_no IN ({?|, }) AND blocks_key
      """;

  @Override
  public Sql blockedKeys(Collection<Integer> partitions) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>(padded);
    parameters.addAll(padded);
    return new Sql(Repeated.times(names.in(BLOCKED_KEYS), padded.size()), parameters);
  }

  /** Parameters: most bytes of a payload, partitions, excepted destinations, limit. */
  private static final String DUE_HEADS =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_due)
      WHERE head = TRUE
        AND due_at <= UTC_TIMESTAMP(6)
        AND partition_no IN ({?|, })
        AND NOT JSON_CONTAINS(?, JSON_QUOTE(destination))
      ORDER BY due_at
      LIMIT ?
      """;

  @Override
  public Sql dueHeads(
      Collection<Integer> partitions, Collection<String> except, int limit, int inline) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(padded);
    parameters.add(JsonRows.flat(except));
    parameters.add(limit);
    return new Sql(Repeated.times(names.in(DUE_HEADS), padded.size()), parameters);
  }

  /**
   * The head is the first one but for rows that came late. Parameters: most bytes of a payload,
   * partition, key hash, all again, limit, twice.
   */
  private static final String PARKED_OF_KEY =
      """
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_key)
      WHERE partition_no = ? AND key_hash = ? AND head = TRUE)
      UNION ALL
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_key)
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

  /** Parameters: most bytes of a payload, rows of sequence and partition. */
  private static final String PARKED_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN OCTET_LENGTH(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, o.attempts, o.created_at,
        OCTET_LENGTH(o.payload) AS payload_bytes
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql parkedAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(names.in(PARKED_AT), positions));
  }

  /** Parameter: rows of id, partition, key hash, head, pause in microseconds, attempts, error. */
  private static final String COPY_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, attempted_at, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.partition_no, o.id, v.key_hash, v.head, UTC_TIMESTAMP(6) + INTERVAL v.pause MICROSECOND,
        v.attempts, v.error, CASE WHEN v.head THEN UTC_TIMESTAMP(6) END, o.created_at,
        o.message_id, o.destination, o.message_key, o.message_type, o.headers, o.business_type,
        o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          head BOOLEAN PATH '$[3]',
          pause BIGINT PATH '$[4]',
          attempts INTEGER PATH '$[5]',
          error VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[6]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public List<Sql> park(List<ParkedEntry> parkings) {
    List<Position> positions = parkings.stream().map(ParkedEntry::position).sorted().toList();
    return List.of(
        outbox.lockRows(positions),
        Sql.of(names.in(COPY_TO_PARKED), JsonRows.of(parkings, MySqlParkedSql::parked)),
        outbox.delete(positions));
  }

  private static @Nullable Object[] parked(ParkedEntry parking) {
    return new @Nullable Object[] {
      parking.position().sequence(),
      parking.position().partition(),
      parking.keyHash(),
      parking.head() ? 1 : 0,
      micros(parking.pause()),
      parking.attempts(),
      Reason.cut(parking.error())
    };
  }

  /** Parameter: rows of sequence and partition. */
  private static final String LOCK_PARKED =
      """
      SELECT o.id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String DELETE_PARKED =
      """
      DELETE outbox_parked
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked FORCE INDEX (PRIMARY)
          ON outbox_parked.partition_no = v.partition_no AND outbox_parked.id = v.id
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String COPY_PARKED_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        sent_at, attempts, partition_no, id, created_at, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), o.attempts, o.partition_no, o.id, o.created_at, o.message_id,
        o.destination, o.message_key, o.message_type, o.headers, o.business_type, o.business_key,
        o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  Sql lockRows(List<Position> positions) {
    return atPositions(names.in(LOCK_PARKED + variant.forUpdate("o") + "\n"), positions);
  }

  Sql delete(List<Position> positions) {
    return atPositions(names.in(DELETE_PARKED), positions);
  }

  @Override
  public List<Sql> deleteParked(List<Position> positions, boolean history) {
    Sql delete = delete(positions);
    return history
        ? List.of(
            lockRows(positions), atPositions(names.in(COPY_PARKED_TO_HISTORY), positions), delete)
        : List.of(delete);
  }

  /** Parameter: rows of id, partition, pause in microseconds, attempts, error. */
  private static final String RESCHEDULE =
      """
      UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          pause BIGINT PATH '$[2]',
          attempts INTEGER PATH '$[3]',
          error VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[4]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      SET o.head = (
          SELECT d.id
          FROM outbox_dead AS d FORCE INDEX (by_key)
          WHERE d.partition_no = o.partition_no AND d.key_hash = o.key_hash AND d.blocks_key = TRUE
          LIMIT 1) IS NULL,
        o.attempts = v.attempts,
        o.due_at = UTC_TIMESTAMP(6) + INTERVAL v.pause MICROSECOND,
        o.last_error = v.error,
        o.attempted_at = UTC_TIMESTAMP(6)
      """;

  @Override
  public List<Sql> reschedule(List<ParkedEntry> failed) {
    return List.of(Sql.of(names.in(RESCHEDULE), JsonRows.of(failed, MySqlParkedSql::failed)));
  }

  private static @Nullable Object[] failed(ParkedEntry parking) {
    return new @Nullable Object[] {
      parking.position().sequence(),
      parking.position().partition(),
      micros(parking.pause()),
      parking.attempts(),
      Reason.cut(parking.error())
    };
  }

  /** Parameter: rows of partition, key hash, and the id of the row that stays head, or 0. */
  private static final String DEMOTE =
      """
      UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]',
          key_hash BIGINT PATH '$[1]',
          head BIGINT PATH '$[2]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (by_key)
          ON o.partition_no = v.partition_no AND o.key_hash = v.key_hash AND o.head = TRUE
      SET o.head = FALSE
      WHERE o.id <> v.head
      """;

  @Override
  public List<Sql> demote(List<ParkedKey> keys) {
    return List.of(ofKeys(DEMOTE, keys));
  }

  /** Ordered by all of the index, else MySQL sorts. Parameter: rows of partition and key hash. */
  private static final String PROMOTE =
      """
      UPDATE (
          SELECT DISTINCT v.partition_no, (
              SELECT p.id
              FROM outbox_parked AS p FORCE INDEX (by_key)
              WHERE p.partition_no = v.partition_no AND p.key_hash = v.key_hash AND p.head = FALSE
              ORDER BY p.partition_no, p.key_hash, p.head, p.id
              LIMIT 1) AS id
          FROM JSON_TABLE(?, '$[*]' COLUMNS (
              partition_no SMALLINT PATH '$[0]', key_hash BIGINT PATH '$[1]')) AS v
            LEFT JOIN outbox_parked AS h FORCE INDEX (by_key)
              ON h.partition_no = v.partition_no AND h.key_hash = v.key_hash AND h.head = TRUE
            LEFT JOIN outbox_dead AS d FORCE INDEX (by_key)
              ON d.partition_no = v.partition_no AND d.key_hash = v.key_hash AND d.blocks_key = TRUE
          WHERE h.id IS NULL AND d.id IS NULL) AS lowest
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = lowest.partition_no AND o.id = lowest.id
      SET o.head = TRUE, o.due_at = UTC_TIMESTAMP(6)
      """;

  @Override
  public List<Sql> promote(List<ParkedKey> keys) {
    return List.of(ofKeys(PROMOTE, keys));
  }

  /** Parameter: rows of partition and key hash. */
  private static final String STILL_BLOCKED =
      """
      SELECT v.key_hash
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]', key_hash BIGINT PATH '$[1]')) AS v
      WHERE (
          SELECT o.id
          FROM outbox_parked AS o FORCE INDEX (by_key)
          WHERE o.partition_no = v.partition_no AND o.key_hash = v.key_hash
          LIMIT 1) IS NOT NULL
        OR (
          SELECT d.id
          FROM outbox_dead AS d FORCE INDEX (by_key)
          WHERE d.partition_no = v.partition_no AND d.key_hash = v.key_hash AND d.blocks_key = TRUE
          LIMIT 1) IS NOT NULL
      """;

  @Override
  public Sql stillBlocked(List<ParkedKey> keys) {
    return ofKeys(STILL_BLOCKED, keys);
  }

  private Sql ofKeys(String text, List<ParkedKey> keys) {
    return Sql.of(
        names.in(text),
        JsonRows.of(keys, key -> new Object[] {key.partition(), key.keyHash(), key.head()}));
  }
}
