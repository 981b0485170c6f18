package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.uuidArray;

import io.angarium.jdbc.internal.dialect.DeadLetterSql;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.DeadEntry;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Dead letters on PostgreSQL. */
public final class PostgresDeadLetterSql implements DeadLetterSql {
  private final TableNames names;

  PostgresDeadLetterSql(TableNames names) {
    this.names = names;
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
}
