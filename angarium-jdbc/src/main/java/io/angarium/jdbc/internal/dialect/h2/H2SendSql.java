package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.DUPLICATE;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.array;
import static io.angarium.jdbc.internal.dialect.h2.H2Values.instant;

import io.angarium.BusinessKey;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Repeated;
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

/** Inserts of messages and business keys on H2. */
public final class H2SendSql implements SendSql {
  private static final int INSERT_MAX = 1_000;

  private final TableNames names;

  H2SendSql(TableNames names) {
    this.names = names;
  }

  @Override
  public int insertMax() {
    return INSERT_MAX;
  }

  /** Parameters: one per column, for each row. */
  private static final String INSERT =
      """
      SELECT id, created_at
      FROM FINAL TABLE (
        INSERT INTO outbox (
          partition_no, message_id, destination, message_key, message_type, headers,
          business_type, business_key, created_by, payload)
        VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
          })
      """;

  public Sql insert(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 10);
    messages.forEach(message -> parameters.addAll(MessageColumn.values(message)));
    return new Sql(Repeated.times(names.in(INSERT), messages.size()), parameters);
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return insert(messages).query(connection, row -> new Inserted(row.getLong(1), instant(row, 2)));
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return insert(connection, messages).size();
  }

  /** Parameters: due time and one per column, for each row. */
  private static final String INSERT_DELAYED =
      """
      INSERT INTO outbox_delayed (
        due_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload)
      VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      """;

  @Override
  public Sql insertDelayed(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 11);
    for (NewMessage message : messages) {
      parameters.add(MessageColumn.dueAt(message).atOffset(ZoneOffset.UTC));
      parameters.addAll(MessageColumn.values(message));
    }
    return new Sql(Repeated.times(names.in(INSERT_DELAYED), messages.size()), parameters);
  }

  /** Parameters: type, key, message id. */
  private static final String CLAIM_BUSINESS_KEY =
      """
      INSERT INTO outbox_dedup (business_type, business_key, message_id)
      VALUES (?, ?, ?)
      """;

  public Sql claimBusinessKey(NewMessage message) {
    BusinessKey business = Objects.requireNonNull(message.message().business());
    return Sql.of(
        names.in(CLAIM_BUSINESS_KEY), business.type(), business.key(), message.id().value());
  }

  // A broken unique key ends the statement, not the transaction.
  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    Set<UUID> claimed = new HashSet<>();
    for (NewMessage message : messages) {
      try {
        claimBusinessKey(message).update(connection);
        claimed.add(message.id().value());
      } catch (SQLException e) {
        if (!DUPLICATE.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
    return claimed;
  }

  /** Parameter: message ids. */
  private static final String RELEASE_BUSINESS_KEYS =
      """
      DELETE FROM outbox_dedup
      WHERE message_id = ANY (?)
      """;

  @Override
  public Sql releaseBusinessKeys(List<NewMessage> messages) {
    return Sql.of(names.in(RELEASE_BUSINESS_KEYS), array("UUID", messages, m -> m.id().value()));
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_DEDUP =
      """
      DELETE FROM outbox_dedup
      WHERE created_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
      """;

  public Sql trimDedup(Duration age, int limit) {
    return Sql.of(names.in(TRIM_DEDUP), age.toMillis(), limit);
  }

  @Override
  public int trimDedup(Connection connection, Duration age, int limit) throws SQLException {
    return trimDedup(age, limit).run(connection);
  }
}
