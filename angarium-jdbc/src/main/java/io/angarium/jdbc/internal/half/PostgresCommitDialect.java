package io.angarium.jdbc.internal.half;

import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Sql.ArrayValue;
import io.angarium.jdbc.internal.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Commits of half messages in one statement, on PostgreSQL: the messages do not leave the database
 * to come back. Thread-safe.
 */
public final class PostgresCommitDialect {
  /** A statement of many larger ones might take longer than the database is waited for. */
  private static final int PAYLOAD_MAX = 64 << 10;

  /** What is sent without a key comes back, so that the relay of this process has it at once. */
  private static final int HANDED_OVER_MAX = 8 << 10;

  private final String commit;

  PostgresCommitDialect(TableNames names) {
    String text =
        COMMIT
            .replace(":columns", MessageColumn.list(MessageColumn.ALL))
            .replace(":handed_over", Integer.toString(HANDED_OVER_MAX))
            .replace(":max", Integer.toString(PAYLOAD_MAX));
    this.commit = names.in(text);
  }

  /**
   * Commits what is prepared, due and not large; leaves the rest alone. A row that another
   * transaction changes meanwhile is waited for. Its message is that of the snapshot of the
   * statement: it never changes while the row is prepared.
   *
   * <p>Returns the rows that are committed: partition, their number, null up to the thirteenth
   * column, key, and age in milliseconds. Then what was sent without a key, in the columns of
   * {@link MessageRows}. Fails if a message was not written, as its outcome would stand without it;
   * by a cast, which says why. Parameters: ids twice, in the order in which to send.
   */
  private static final String COMMIT =
      """
      WITH decided AS (
        UPDATE outbox_half
        SET state = 'committed', decided_at = statement_timestamp(), payload = NULL, headers = NULL
        WHERE half_id = ANY (?::uuid[])
          AND state = 'prepared'
          AND delay_millis IS NULL
          AND not_before IS NULL
          AND payload_bytes <= CASE WHEN partition_no < 0 THEN :handed_over ELSE :max END
        RETURNING half_id, id, partition_no, created_at
      ),
      sent AS (
        INSERT INTO outbox (
          :columns)
        SELECT
          :columns
        FROM unnest(?::uuid[]) AS c (half_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM outbox_half
          WHERE half_id = c.half_id
          OFFSET 0) AS h
        WHERE (h.id IN (SELECT id FROM decided)) IS TRUE
        RETURNING *
      )
      SELECT
        partition_no, id, NULL::uuid AS message_id, NULL AS destination, NULL AS message_key,
        NULL AS message_type, NULL AS headers, NULL::bytea AS payload, NULL AS business_type,
        NULL AS business_key, NULL AS created_by, 0 AS attempts, NULL::timestamptz AS created_at,
        half_id,
        CASE
          WHEN (SELECT count(*) FROM sent) = (SELECT count(*) FROM decided) THEN 0
          ELSE ('a trigger left out some of ' || (SELECT count(*) FROM decided))::integer
        END AS left_out,
        (EXTRACT(EPOCH FROM statement_timestamp() - created_at) * 1000)::bigint AS age_millis
      FROM decided
      UNION ALL
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers, payload,
        business_type, business_key, created_by, 0, created_at, NULL, NULL, NULL
      FROM sent
      WHERE partition_no < 0
      """;

  /**
   * The statement. Rows are held in the order of the index, whatever that of the ids.
   *
   * @param ids in the order in which to send
   */
  public Sql commit(List<UUID> ids) {
    ArrayValue keys = new ArrayValue("uuid", new ArrayList<>(ids));
    return Sql.of(commit, keys, keys);
  }
}
