package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.uuid;
import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.value;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.StripedKey;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Inserts of messages and business keys on MySQL and MariaDB. */
public final class MySqlSendSql implements SendSql {
  static final int INSERT_MAX = 1_000;

  private final TableNames names;
  private final MySqlVariant variant;

  MySqlSendSql(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
  }

  @Override
  public int insertMax() {
    return INSERT_MAX;
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return variant.insert(connection, messages);
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return variant.insertKeyed(connection, messages);
  }

  /** Parameters: due time and one per column, for each row. */
  private static final String INSERT_DELAYED =
      """
      INSERT INTO outbox_delayed (
        created_at, due_at, partition_no, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, payload)
      VALUES {(UTC_TIMESTAMP(6), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      """;

  @Override
  public Sql insertDelayed(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 11);
    for (NewMessage message : messages) {
      parameters.add(LocalDateTime.ofInstant(MessageColumn.dueAt(message), ZoneOffset.UTC));
      MessageColumn.ALL.forEach(column -> parameters.add(value(column, message)));
    }
    return new Sql(Repeated.times(names.in(INSERT_DELAYED), messages.size()), parameters);
  }

  /**
   * Reads what is stored now, whatever the transaction has seen before. A missing key leaves a lock
   * on its gap. Parameter: rows of stripe, type, key, in the order in which they are locked.
   */
  private static final String LOCK_BUSINESS_KEYS =
      """
      SELECT v.n
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          n FOR ORDINALITY,
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]')) AS v
        STRAIGHT_JOIN outbox_dedup AS d FORCE INDEX (PRIMARY)
          ON d.stripe = v.stripe AND d.business_type = v.business_type
            AND d.business_key = v.business_key
      """;

  /** Positions in the list of the rows that are stored, from 1; locks all of the list. */
  public Sql lockBusinessKeys(List<StripedKey> rows) {
    return Sql.of(
        names.in(LOCK_BUSINESS_KEYS + variant.forUpdate("d") + "\n"),
        JsonRows.of(rows, row -> new Object[] {row.stripe(), row.type(), row.key()}));
  }

  /** Guards never grow old. Parameter: rows of stripe, type, key, message id. */
  private static final String ADD_BUSINESS_KEYS =
      """
      INSERT INTO outbox_dedup (stripe, business_type, business_key, message_id, created_at)
      SELECT
        v.stripe, v.business_type, v.business_key, UNHEX(v.message_id),
        IF(v.business_key = '', '9999-12-31', UTC_TIMESTAMP(6))
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]',
          message_id CHAR(32) PATH '$[3]')) AS v
      """;

  public Sql addBusinessKeys(List<StripedKey> rows) {
    return Sql.of(names.in(ADD_BUSINESS_KEYS), JsonRows.of(rows, MySqlSendSql::columns));
  }

  // A guard is missing only if somebody emptied the table, and comes back then.
  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    List<StripedKey> rows = StripedKey.guarded(messages);
    Set<Integer> stored =
        new HashSet<>(lockBusinessKeys(rows).query(connection, row -> row.getInt(1)));
    List<StripedKey> missing = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (!stored.contains(i + 1)) {
        missing.add(rows.get(i));
      }
    }
    if (!missing.isEmpty()) {
      addBusinessKeys(missing).update(connection);
    }
    return missing.stream()
        .filter(row -> !row.isGuard())
        .map(StripedKey::messageId)
        .collect(Collectors.toSet());
  }

  /** Unless claimed by another message since. Parameter: rows of stripe, type, key, message id. */
  private static final String DELETE_BUSINESS_KEYS =
      """
      DELETE outbox_dedup
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]',
          message_id CHAR(32) PATH '$[3]')) AS v
        STRAIGHT_JOIN outbox_dedup FORCE INDEX (PRIMARY)
          ON outbox_dedup.stripe = v.stripe AND outbox_dedup.business_type = v.business_type
            AND outbox_dedup.business_key = v.business_key
      WHERE outbox_dedup.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql releaseBusinessKeys(List<NewMessage> messages) {
    return deleteBusinessKeys(messages.stream().map(StripedKey::of).toList());
  }

  private Sql deleteBusinessKeys(List<StripedKey> rows) {
    return Sql.of(names.in(DELETE_BUSINESS_KEYS), JsonRows.of(rows, MySqlSendSql::columns));
  }

  private static @Nullable Object[] columns(StripedKey row) {
    return new Object[] {row.stripe(), row.type(), row.key(), BinaryIds.hex(row.messageId())};
  }

  /** Locks nothing. Parameters: age in microseconds, limit. */
  private static final String OLD_BUSINESS_KEYS =
      """
      SELECT stripe, business_type, business_key, message_id
      FROM outbox_dedup FORCE INDEX (by_time)
      WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY created_at
      LIMIT ?
      """;

  public Sql oldBusinessKeys(Duration age, int limit) {
    return Sql.of(names.in(OLD_BUSINESS_KEYS), micros(age), limit);
  }

  // Deletes in the order in which keys are claimed; in that of time, the two would deadlock.
  @Override
  public int trimDedup(Connection connection, Duration age, int limit) throws SQLException {
    List<StripedKey> old =
        oldBusinessKeys(age, limit)
            .query(
                connection,
                row ->
                    new StripedKey(row.getInt(1), row.getString(2), row.getString(3), uuid(row, 4)))
            .stream()
            .sorted(StripedKey.AS_STORED)
            .toList();
    int deleted = 0;
    for (int start = 0; start < old.size(); start += INSERT_MAX) {
      int end = Math.min(start + INSERT_MAX, old.size());
      deleted += deleteBusinessKeys(old.subList(start, end)).run(connection);
    }
    return deleted;
  }
}
