package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.array;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.atPositions;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.bounded;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.partitionArray;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ParkedSql;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.ParkedEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Parked messages on H2. */
public final class H2ParkedSql implements ParkedSql {
  private final TableNames names;
  private final H2OutboxSql outbox;

  H2ParkedSql(TableNames names, H2OutboxSql outbox) {
    this.names = names;
    this.outbox = outbox;
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
    return bounded(inline, atPositions(names.in(PARKED_AT), positions));
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
    statements.add(outbox.lockRows(positions));
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
    statements.add(outbox.delete(positions));
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

  Sql lockRows(List<Position> positions) {
    return atPositions(names.in(LOCK_PARKED), positions);
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

  /** Parameters: attempts, pause in milliseconds, error, id, partition. */
  private static final String RESCHEDULE =
      """
      UPDATE outbox_parked AS k
      SET head = NOT EXISTS (
          SELECT 1
          FROM outbox_dead AS d
          WHERE d.partition_no = k.partition_no AND d.key_hash = k.key_hash AND d.blocks_key),
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

  /**
   * The subqueries refer to the row. H2 keeps the result of one that does not, and gives it again
   * in a transaction that has changed the table meanwhile. Parameters: partition, key hash.
   */
  private static final String PROMOTE =
      """
      UPDATE outbox_parked AS k
      SET head = TRUE, due_at = CURRENT_TIMESTAMP(6)
      WHERE k.partition_no = ?
        AND k.key_hash = ?
        AND k.id = (
          SELECT MIN(p.id)
          FROM outbox_parked AS p
          WHERE p.partition_no = k.partition_no AND p.key_hash = k.key_hash)
        AND NOT EXISTS (
          SELECT 1
          FROM outbox_parked AS h
          WHERE h.partition_no = k.partition_no AND h.key_hash = k.key_hash AND h.head = TRUE)
        AND NOT EXISTS (
          SELECT 1
          FROM outbox_dead AS d
          WHERE d.partition_no = k.partition_no AND d.key_hash = k.key_hash AND d.blocks_key)
      """;

  @Override
  public List<Sql> promote(List<ParkedKey> keys) {
    return keys.stream().map(this::promote).toList();
  }

  private Sql promote(ParkedKey key) {
    return Sql.of(names.in(PROMOTE), key.partition(), key.keyHash());
  }

  /** A hash belongs to one partition only. Parameters: partitions, key hashes, both again. */
  private static final String STILL_BLOCKED =
      """
      SELECT key_hash
      FROM outbox_parked
      WHERE partition_no = ANY (?) AND key_hash = ANY (?)
      UNION
      SELECT key_hash
      FROM outbox_dead
      WHERE partition_no = ANY (?) AND key_hash = ANY (?) AND blocks_key
      """;

  @Override
  public Sql stillBlocked(List<ParkedKey> keys) {
    ArrayValue partitions =
        partitionArray(keys.stream().map(ParkedKey::partition).distinct().toList());
    ArrayValue hashes = array("BIGINT", keys, ParkedKey::keyHash);
    return Sql.of(names.in(STILL_BLOCKED), partitions, hashes, partitions, hashes);
  }
}
