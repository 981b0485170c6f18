package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;

/** The leanest table that does: an id, a key, a payload, and no index but the primary key. */
enum RawTable {
  POSTGRESQL(
      """
      CREATE TABLE raw_outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_key text, payload bytea NOT NULL)
      """) {
    @Override
    void delete(Connection connection, List<Long> ids) throws SQLException {
      String sql = "DELETE FROM raw_outbox o USING unnest(?::bigint[]) d(id) WHERE o.id = d.id";
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
        delete.executeUpdate();
      }
    }
  },

  MARIADB(
      """
      CREATE TABLE raw_outbox (
        id bigint AUTO_INCREMENT PRIMARY KEY,
        message_key varchar(255), payload longblob NOT NULL)
      """) {
    @Override
    void delete(Connection connection, List<Long> ids) throws SQLException {
      String marks = String.join(",", Collections.nCopies(ids.size(), "?"));
      String sql = "DELETE FROM raw_outbox WHERE id IN (" + marks + ")";
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        for (int i = 0; i < ids.size(); i++) {
          delete.setLong(i + 1, ids.get(i));
        }
        delete.executeUpdate();
      }
    }
  };

  private final String create;

  RawTable(String create) {
    this.create = create;
  }

  static RawTable of(DatabaseKind database) {
    return valueOf(database.name());
  }

  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(create);
    }
  }

  /** Deletes exactly these. */
  abstract void delete(Connection connection, List<Long> ids) throws SQLException;

  /**
   * Within the transaction of the connection. The driver of PostgreSQL makes statements of many
   * rows of the batch, the one of MariaDB sends it in one packet.
   */
  static void insert(Connection connection, List<Outgoing> messages) throws SQLException {
    String sql = "INSERT INTO raw_outbox (message_key, payload) VALUES (?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Outgoing message : messages) {
        insert.setString(1, message.key());
        insert.setBytes(2, message.payload());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
