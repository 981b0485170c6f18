package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DeadLetterSql;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.DeadEntry;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead letters on MySQL and MariaDB. */
public final class MySqlDeadLetterSql implements DeadLetterSql {
  private final TableNames names;
  private final MySqlOutboxSql outbox;
  private final MySqlParkedSql parked;

  MySqlDeadLetterSql(TableNames names, MySqlOutboxSql outbox, MySqlParkedSql parked) {
    this.names = names;
    this.outbox = outbox;
    this.parked = parked;
  }

  /** Parameter: rows of id, partition, key hash, whether it blocks its key, attempts, reason. */
  private static final String COPY_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.id, o.partition_no, v.key_hash, v.blocks_key, v.attempts, v.reason, UTC_TIMESTAMP(6),
        o.created_at, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.business_type, o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          blocks_key BOOLEAN PATH '$[3]',
          attempts INTEGER PATH '$[4]',
          reason VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[5]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  /** Parameter: rows of id, partition, key hash, whether it blocks its key, attempts, reason. */
  private static final String COPY_PARKED_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.id, o.partition_no, v.key_hash, v.blocks_key, v.attempts, v.reason, UTC_TIMESTAMP(6),
        o.created_at, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.business_type, o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          blocks_key BOOLEAN PATH '$[3]',
          attempts INTEGER PATH '$[4]',
          reason VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[5]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public List<Sql> bury(List<DeadEntry> burials) {
    List<Position> positions = burials.stream().map(DeadEntry::position).sorted().toList();
    String rows = JsonRows.of(burials, MySqlDeadLetterSql::buried);
    return List.of(
        outbox.lockRows(positions),
        parked.lockRows(positions),
        Sql.of(names.in(COPY_TO_DEAD), rows),
        Sql.of(names.in(COPY_PARKED_TO_DEAD), rows),
        outbox.delete(positions),
        parked.delete(positions));
  }

  private static @Nullable Object[] buried(DeadEntry burial) {
    return new @Nullable Object[] {
      burial.position().sequence(),
      burial.position().partition(),
      burial.keyHash(),
      burial.blocksKey() ? 1 : 0,
      burial.attempts(),
      Reason.cut(burial.reason())
    };
  }

  /** Parameter: rows of message ids. */
  private static final String DEAD_OF =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.payload, o.business_type, o.business_key, o.created_by, o.attempts, o.created_at,
        o.reason, o.dead_since, o.blocks_key
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      ORDER BY o.id, o.partition_no
      """;

  @Override
  public Sql deadOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_OF), idRows(ids));
  }

  /** Parameter: rows of message ids. */
  private static final String DEAD_KEYS_OF =
      """
      SELECT o.partition_no, o.key_hash, o.blocks_key, o.message_id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql deadKeysOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_KEYS_OF), idRows(ids));
  }

  /** Parameters: who, rows of message ids. */
  private static final String COPY_DEAD_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.partition_no, o.id, o.key_hash, FALSE, UTC_TIMESTAMP(6), 0, o.reason, o.created_at,
        o.message_id, o.destination, o.message_key, o.message_type, o.headers, o.business_type,
        o.business_key, o.created_by, ?, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      WHERE o.blocks_key = TRUE
      """;

  /** Parameter: rows of message ids. */
  private static final String DELETE_BLOCKING =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      WHERE outbox_dead.blocks_key = TRUE
      """;

  @Override
  public List<Sql> requeueBlocking(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_PARKED), by, idRows(ids)),
        Sql.of(names.in(DELETE_BLOCKING), idRows(ids)));
  }

  /** Parameters: who, rows of message ids. */
  private static final String COPY_DEAD_TO_OUTBOX =
      """
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), o.partition_no, o.message_id, o.destination, o.message_key,
        o.message_type, o.headers, o.business_type, o.business_key, o.created_by, ?, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      WHERE o.blocks_key = FALSE
      ORDER BY o.id
      """;

  /** Parameter: rows of message ids. */
  private static final String DELETE_OTHERS =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      WHERE outbox_dead.blocks_key = FALSE
      """;

  @Override
  public List<Sql> requeueOthers(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_OUTBOX), by, idRows(ids)),
        Sql.of(names.in(DELETE_OTHERS), idRows(ids)));
  }

  /** Parameter: rows of message ids. */
  private static final String DISCARD =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql discard(Collection<UUID> ids) {
    return Sql.of(names.in(DISCARD), idRows(ids));
  }

  private static String idRows(Collection<UUID> ids) {
    return JsonRows.of(ids, id -> new Object[] {BinaryIds.hex(id)});
  }
}
