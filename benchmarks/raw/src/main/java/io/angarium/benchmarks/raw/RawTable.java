package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
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
    void insert(Connection connection, List<Outgoing> messages) throws SQLException {
      insertBatch(connection, messages); // the driver makes statements of many rows of it
    }

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
    void insert(Connection connection, List<Outgoing> messages) throws SQLException {
      insertBatch(connection, messages); // the driver sends them in one packet
    }

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
      statement.execute("DROP TABLE IF EXISTS raw_outbox");
      statement.execute(create);
    }
  }

  /** Within the transaction of the connection. */
  abstract void insert(Connection connection, List<Outgoing> messages) throws SQLException;

  /** Deletes exactly these. */
  abstract void delete(Connection connection, List<Long> ids) throws SQLException;

  static void insertBatch(Connection connection, List<Outgoing> messages) throws SQLException {
    String sql = "INSERT INTO raw_outbox (message_key, payload) VALUES (?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Outgoing message : messages) {
        if (message.key() == null) {
          insert.setNull(1, Types.VARCHAR);
        } else {
          insert.setString(1, message.key());
        }
        insert.setBytes(2, message.payload());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
