package io.angarium.jdbc.internal.write;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements of persons who look after dead letters; none of them loads a payload. Thread-safe. */
public final class DeadDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public DeadDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /** The columns as {@link DeadLetterRows} reads them; the size of the payload follows. */
  private static final String COLUMNS =
      """
      partition_no, id, message_id, destination, message_key, message_type, business_type,
        business_key, created_by, updated_by, attempts, created_at, dead_since, reason,
        blocks_key\
      """;

  /** No parameters. */
  private static final String NOW =
      """
      SELECT :now
      """;

  public Sql now() {
    return Sql.of(in(NOW));
  }

  /** Parameters: sequence twice and partition of the last one seen; limit. */
  private static final String OLDEST =
      """
      SELECT
        :columns
      FROM outbox_dead:in_order
      WHERE id >= ? AND (id > ? OR partition_no > ?)
      ORDER BY id, partition_no
      LIMIT ?
      """;

  /** Parameters: sequence twice and partition of the last one seen; limit. */
  private static final String NEWEST =
      """
      SELECT
        :columns
      FROM outbox_dead:in_order
      WHERE id <= ? AND (id < ? OR partition_no < ?)
      ORDER BY id DESC, partition_no DESC
      LIMIT ?
      """;

  /** No sequence comes so far. One less than the largest number: MySQL drops a bound of that. */
  private static final long BEHIND_ALL = Long.MAX_VALUE - 1;

  /** The next rows, whatever they are. */
  public Sql rows(Order order, @Nullable Position after, int limit) {
    boolean oldest = order == Order.OLDEST;
    long sequence = oldest ? 0 : BEHIND_ALL;
    int partition = 0;
    if (after != null) {
      sequence = after.sequence();
      partition = after.partition();
    }
    return Sql.of(in(oldest ? OLDEST : NEWEST), sequence, sequence, partition, limit);
  }

  /** Parameters: message ids. */
  private static final String OF =
      """
      SELECT
        :columns, OCTET_LENGTH(payload)
      FROM outbox_dead:by_message
      WHERE message_id IN ({?|, })
      ORDER BY id, partition_no
      """;

  /** The dead letters of these ids with the size of their payloads. */
  public Sql rowsOf(Collection<MessageId> ids) {
    List<@Nullable Object> padded =
        Repeated.padded(ids.stream().distinct().map(id -> clock.bound(id.value())).toList());
    return new Sql(Repeated.times(in(OF), padded.size()), padded);
  }

  /** Parameters: sequence twice and partition of the last one seen; destination twice; limit. */
  private static final String SIZES =
      """
      SELECT partition_no, id, message_id, OCTET_LENGTH(payload)
      FROM outbox_dead:in_order
      WHERE id >= ? AND (id > ? OR partition_no > ?)
        AND (:text IS NULL OR destination = :text)
      ORDER BY id, partition_no
      LIMIT ?
      """;

  /** Position, message id and size of the next dead letters, perhaps of one destination. */
  public Sql sizes(@Nullable String destination, @Nullable Position after, int limit) {
    long sequence = after == null ? 0 : after.sequence();
    int partition = after == null ? 0 : after.partition();
    return Sql.of(in(SIZES), sequence, sequence, partition, destination, destination, limit);
  }

  private String in(String text) {
    boolean mySql = clock == ClockDialect.MYSQL;
    return names.in(
        clock.in(
            text.replace(":columns", COLUMNS)
                .replace(":text", mySql ? "?" : "CAST(? AS VARCHAR)")
                .replace(":in_order", mySql ? " FORCE INDEX (PRIMARY)" : "")
                .replace(":by_message", mySql ? " FORCE INDEX (by_message)" : "")));
  }
}
