package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What only MariaDB has: inserts that return their rows. */
public final class MariaDbDialect implements MySqlVariant {
  /** From this many rows on a batch costs less, as the server need not parse it. */
  private static final int BATCH_MIN = 4;

  /** The first version of MariaDB's driver that sends a batch of inserts in one by default. */
  private static final int DRIVER_MIN = 305;

  private final TableNames names;

  public MariaDbDialect(TableNames names) {
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

  @Override
  public String collation() {
    return "utf8mb4_nopad_bin";
  }

  // locks the rows of every table of the query, and the others are no tables of the database
  @Override
  public String forUpdate(String table) {
    return "FOR UPDATE";
  }

  @Override
  public String insteadOfWaiting() {
    return "SET STATEMENT innodb_lock_wait_timeout = 0 FOR\n";
  }

  /** Keeps long lists from being turned into subqueries, which would be answered by full scans. */
  @Override
  public Map<String, String> sessionSettings() {
    return Map.of("in_predicate_conversion_threshold", "0");
  }

  /** The nodes of a Galera cluster have no mark: each has all that another has committed. */
  private static final String SERVER =
      """
      SELECT
        (SELECT
          CASE WHEN SUM(VARIABLE_NAME = 'wsrep_on' AND VARIABLE_VALUE = 'ON') > 0 THEN NULL
            ELSE GROUP_CONCAT(VARIABLE_VALUE ORDER BY VARIABLE_NAME SEPARATOR '/')
          END
          FROM information_schema.GLOBAL_VARIABLES
          WHERE VARIABLE_NAME IN ('hostname', 'port', 'server_id', 'wsrep_on')),
        (SELECT COUNT(*) = 0
          FROM information_schema.GLOBAL_VARIABLES
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

  private static final String RETURNING =
      """
      RETURNING id, created_at
      """;

  public Sql insert(List<NewMessage> messages) {
    return new RowInsert(names.in(INSERT + RETURNING), messages).statement();
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return insert(messages)
        .queryWriting(connection, row -> new Inserted(row.getLong(1), MySqlValues.instant(row, 2)));
  }

  public RowInsert insertKeyed(List<NewMessage> messages) {
    return new RowInsert(names.in(INSERT), messages);
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    RowInsert insert = insertKeyed(messages);
    boolean batch =
        messages.size() >= BATCH_MIN
            && insert.staysInOne()
            && sendsBatchesInOne(connection.getMetaData());
    return batch ? insert.batch(connection) : insert.statement().update(connection);
  }

  // its URL holds what was set in other ways, too
  private static boolean sendsBatchesInOne(DatabaseMetaData driver) throws SQLException {
    int version = 100 * driver.getDriverMajorVersion() + driver.getDriverMinorVersion();
    return driver.getDriverName().equals("MariaDB Connector/J")
        && version >= DRIVER_MIN
        && !driver.getURL().contains("useBulkStmtsForInserts=false");
  }

  private static final String IN_TRANSACTION = "SELECT @@in_transaction";

  @Override
  public boolean isOver(Connection connection) throws SQLException {
    return Sql.of(IN_TRANSACTION).query(connection, row -> row.getInt(1)).get(0) == 0;
  }
}
