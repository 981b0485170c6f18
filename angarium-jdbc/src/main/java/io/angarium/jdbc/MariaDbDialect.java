package io.angarium.jdbc;

import io.angarium.jdbc.Dialect.Inserted;
import io.angarium.store.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;

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

  /** Parameters: one per column that is used, for each row. */
  private static final String INSERT =
      """
      INSERT INTO outbox (
        created_at, %s)
      VALUES {(UTC_TIMESTAMP(6), %s)|,
        }
      RETURNING message_id, partition_no, id, created_at
      """;

  Sql insert(List<NewMessage> messages) {
    return RowInsert.of(names.in(INSERT), messages);
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
}
