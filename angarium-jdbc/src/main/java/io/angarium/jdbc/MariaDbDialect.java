package io.angarium.jdbc;

import io.angarium.BusinessKey;
import io.angarium.jdbc.Dialect.Inserted;
import io.angarium.store.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What only MariaDB has: inserts that return their rows. */
final class MariaDbDialect implements MySqlVariant {
  private final TableNames names;

  MariaDbDialect(TableNames names) {
    this.names = names;
  }

  @Override
  public String database() {
    return "MariaDB";
  }

  @Override
  public String folder() {
    return "mariadb";
  }

  @Override
  public String versionMin() {
    return "10.6";
  }

  // locks the rows of every table of the query, and the others are no tables of the database
  @Override
  public String forUpdate(String table) {
    return "FOR UPDATE";
  }

  /** Keeps long lists from being turned into subqueries, which would be answered by full scans. */
  @Override
  public List<String> sessionSettings() {
    return List.of("SET SESSION in_predicate_conversion_threshold = 0");
  }

  @Override
  public List<String> sessionReset() {
    return List.of("SET SESSION in_predicate_conversion_threshold = DEFAULT");
  }

  /** Parameters: one per column, for each row. */
  private static final String INSERT =
      """
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, payload)
      VALUES {(UTC_TIMESTAMP(6), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      RETURNING message_id, partition_no, id, created_at
      """;

  Sql insert(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 10);
    messages.forEach(message -> parameters.addAll(MySqlFamily.values(message)));
    return new Sql(Repeated.times(names.in(INSERT), messages.size()), parameters);
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return insert(messages)
        .queryWriting(
            connection,
            row ->
                new Inserted(
                    BinaryIds.uuid(row.getBytes(1)),
                    row.getInt(2),
                    row.getLong(3),
                    MySqlFamily.time(row, 4).toInstant(ZoneOffset.UTC)));
  }

  /**
   * Returns the ids that are stored, which are those of earlier messages where the pair was there.
   * The update changes nothing; it makes the statement take the lock that writes need, at once.
   * Parameters: type, key, message id, for each row.
   */
  private static final String CLAIM_BUSINESS_KEYS =
      """
      INSERT INTO outbox_dedup (created_at, business_type, business_key, message_id)
      VALUES {(UTC_TIMESTAMP(6), ?, ?, ?)|,
        }
      ON DUPLICATE KEY UPDATE message_id = message_id
      RETURNING message_id
      """;

  Sql claimBusinessKeys(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 3);
    for (NewMessage message : messages) {
      BusinessKey business = Objects.requireNonNull(message.message().business());
      parameters.addAll(
          List.of(business.type(), business.key(), BinaryIds.bytes(message.id().value())));
    }
    return new Sql(Repeated.times(names.in(CLAIM_BUSINESS_KEYS), messages.size()), parameters);
  }

  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return new HashSet<>(
        claimBusinessKeys(messages)
            .queryWriting(connection, row -> BinaryIds.uuid(row.getBytes(1))));
  }
}
