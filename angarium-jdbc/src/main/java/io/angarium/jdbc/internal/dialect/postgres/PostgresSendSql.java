package io.angarium.jdbc.internal.dialect.postgres;

import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.array;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.instant;
import static io.angarium.jdbc.internal.dialect.postgres.PostgresValues.uuid;

import io.angarium.BusinessKey;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts of messages and business keys on PostgreSQL. */
public final class PostgresSendSql implements SendSql {
  private final TableNames names;
  private final PostgresInsertDialect inserts;

  PostgresSendSql(TableNames names) {
    this.names = names;
    this.inserts = new PostgresInsertDialect(names);
  }

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
}
