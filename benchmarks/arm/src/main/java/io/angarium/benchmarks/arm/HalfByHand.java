package io.angarium.benchmarks.arm;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Half messages as one writes them first: a row that is inserted by the prepare and changed by the
 * commit, a transaction for each call. Thread-safe.
 *
 * @param dataSource whose connections commit by themselves
 */
public record HalfByHand(DataSource dataSource) {
  private static final String COLUMNS =
      """
      biz_id int NOT NULL, message_key varchar(255) NOT NULL,
      state smallint NOT NULL, send_state smallint NOT NULL,
      created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL,
      """;
  private static final String INSERT =
      """
      INSERT INTO raw_half
        (biz_id, message_key, state, send_state, created_at, updated_at, payload)
      VALUES (1, ?, 1, 0, CURRENT_TIMESTAMP(6), CURRENT_TIMESTAMP(6), ?)
      """;
  private static final String UPDATE =
      """
      UPDATE raw_half SET state = 2, updated_at = CURRENT_TIMESTAMP(6)
      WHERE biz_id = 1 AND message_key = ? AND state = 1
      """;

  /** Creates its table. */
  public void create(DatabaseKind kind) throws SQLException {
    String identity =
        kind == DatabaseKind.POSTGRESQL
            ? "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
            : "bigint AUTO_INCREMENT PRIMARY KEY";
    String payload = kind == DatabaseKind.POSTGRESQL ? "bytea" : "longblob";
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE raw_half (id "
              + identity
              + ", "
              + COLUMNS
              + " payload "
              + payload
              + " NOT NULL, UNIQUE (biz_id, message_key))");
    }
  }

  /** Stores a message that is not to be sent yet. */
  public void prepare(String key, byte[] payload) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, key);
      insert.setBytes(2, payload);
      insert.executeUpdate();
    }
  }

  /**
   * Lets a stored message be sent.
   *
   * @throws IllegalStateException if it is not there, or decided
   */
  public void commit(String key) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setString(1, key);
      if (update.executeUpdate() != 1) {
        throw new IllegalStateException("not prepared: " + key);
      }
    }
  }
}
