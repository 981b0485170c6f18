package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What MySQL does in its own way: ids of inserted rows come as generated keys. */
public final class MySqlDialect implements MySqlVariant {
  private final TableNames names;

  public MySqlDialect(TableNames names) {
    this.names = names;
  }

  @Override
  public String database() {
    return "MySQL";
  }

  @Override
  public String folder() {
    return "mysql";
  }

  @Override
  public String versionMin() {
    return "8.0.19";
  }

  @Override
  public String collation() {
    return "utf8mb4_0900_bin";
  }

  @Override
  public String forUpdate(String table) {
    return "FOR UPDATE OF " + table;
  }

  // waits for a second at least
  @Override
  public String insteadOfWaiting() {
    return "";
  }

  /** The last sequence comes from the information schema, which is cached for a day otherwise. */
  @Override
  public Map<String, String> sessionSettings() {
    return Map.of("information_schema_stats_expiry", "0");
  }

  /** The nodes of a Galera cluster have no mark: each has all that another has committed. */
  private static final String SERVER =
      """
      SELECT
        (SELECT
          CASE WHEN SUM(VARIABLE_NAME = 'wsrep_on' AND VARIABLE_VALUE = 'ON') > 0 THEN NULL
            ELSE GROUP_CONCAT(VARIABLE_VALUE ORDER BY VARIABLE_NAME SEPARATOR '/')
          END
          FROM performance_schema.global_variables
          WHERE VARIABLE_NAME IN ('hostname', 'port', 'server_uuid', 'wsrep_on')),
        (SELECT COUNT(*) = 0
          FROM performance_schema.global_variables
          WHERE VARIABLE_NAME IN ('read_only', 'super_read_only')
            AND VARIABLE_VALUE NOT IN ('OFF', '0'))
      """;

  @Override
  public String server() {
    return SERVER;
  }

  /** Parameters: one per column that is used, for each row. */
  private static final String INSERT =
      """
      INSERT INTO outbox (
        created_at, %s)
      VALUES {(UTC_TIMESTAMP(6), %s)|,
        }
      """;

  public Sql insert(List<NewMessage> messages) {
    return new RowInsert(names.in(INSERT), messages).statement();
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    Sql sql = insert(messages);
    try (PreparedStatement statement =
        connection.prepareStatement(sql.text(), Statement.RETURN_GENERATED_KEYS)) {
      sql.bind(statement);
      statement.executeUpdate();
      List<Inserted> inserted = new ArrayList<>(messages.size());
      try (ResultSet keys = statement.getGeneratedKeys()) {
        for (NewMessage message : messages) {
          if (!keys.next()) {
            throw new SQLException(
                inserted.size()
                    + " generated keys for "
                    + messages.size()
                    + " rows; use MySQL's own driver (Connector/J), which returns them all");
          }
          inserted.add(inserted(message, keys.getLong(1)));
        }
      }
      return inserted;
    }
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return insert(messages).update(connection);
  }

  private static Inserted inserted(NewMessage message, long sequence) {
    long madeMillis = message.id().value().getMostSignificantBits() >>> 16;
    return new Inserted(sequence, Instant.ofEpochMilli(madeMillis));
  }

  /** Refused while a transaction is open; otherwise the default of the one that comes next. */
  private static final String NEXT_TRANSACTION = "SET TRANSACTION READ WRITE";

  private static final String TRANSACTION_IS_OPEN = "25001";

  @Override
  public boolean isOver(Connection connection) throws SQLException {
    try {
      Sql.of(NEXT_TRANSACTION).run(connection);
      return true;
    } catch (SQLException e) {
      if (TRANSACTION_IS_OPEN.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }
}
