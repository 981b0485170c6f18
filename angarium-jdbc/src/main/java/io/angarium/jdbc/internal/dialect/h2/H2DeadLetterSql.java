package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.uuidArray;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.DeadLetterSql;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.DeadEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Dead letters on H2. */
public final class H2DeadLetterSql implements DeadLetterSql {
  private final TableNames names;
  private final H2OutboxSql outbox;
  private final H2ParkedSql parked;

  H2DeadLetterSql(TableNames names, H2OutboxSql outbox, H2ParkedSql parked) {
    this.names = names;
    this.outbox = outbox;
    this.parked = parked;
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
    statements.add(outbox.lockRows(positions));
    statements.add(parked.lockRows(positions));
    for (DeadEntry burial : burials) {
      statements.add(buried(COPY_TO_DEAD, burial));
      statements.add(buried(COPY_PARKED_TO_DEAD, burial));
    }
    statements.add(outbox.delete(positions));
    statements.add(parked.delete(positions));
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
}
