package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.atPositions;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.partitionArray;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ParkedSql;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.ParkedEntry;
import java.util.Collection;
import java.util.List;

/** Parked messages on PostgreSQL. */
public final class PostgresParkedSql implements ParkedSql {
  private final TableNames names;

  PostgresParkedSql(TableNames names) {
    this.names = names;
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
    return atPositions(names.in(PARKED_AT), positions, inline);
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
    return List.of(
        atPositions(names.in(history ? DELETE_PARKED_TO_HISTORY : DELETE_PARKED), positions));
  }

  /** Parameters: partitions, ids, attempts, pauses in milliseconds, errors. */
  private static final String RESCHEDULE =
      """
      UPDATE outbox_parked AS k
      SET head = NOT EXISTS (
          SELECT 1
          FROM outbox_dead AS d
          WHERE d.partition_no = k.partition_no AND d.key_hash = k.key_hash AND d.blocks_key),
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
  private static final String STILL_BLOCKED =
      """
      SELECT v.key_hash
      FROM unnest(?::smallint[], ?::bigint[]) AS v (partition_no, key_hash)
      CROSS JOIN LATERAL (
        (SELECT 1
        FROM outbox_parked AS p
        WHERE p.partition_no = v.partition_no AND p.key_hash = v.key_hash
        LIMIT 1)
        UNION ALL
        (SELECT 1
        FROM outbox_dead AS d
        WHERE d.partition_no = v.partition_no AND d.key_hash = v.key_hash AND d.blocks_key
        LIMIT 1)) AS blocking
      """;

  @Override
  public Sql stillBlocked(List<ParkedKey> keys) {
    return ofKeys(STILL_BLOCKED, keys);
  }

  private Sql ofKeys(String text, List<ParkedKey> keys) {
    return Sql.of(
        names.in(text),
        array("int2", keys, key -> (short) key.partition()),
        array("int8", keys, ParkedKey::keyHash));
  }
}
