package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** The leanest inbox that does: one table for one consumer, which is never cleaned. */
enum RawInbox {
  POSTGRESQL(
      "CREATE TABLE raw_inbox (message_id uuid PRIMARY KEY)",
      "INSERT INTO raw_inbox (message_id) VALUES (?) ON CONFLICT DO NOTHING") {
    @Override
    boolean folds() {
      return true;
    }

    @Override
    Object bound(UUID id) {
      return id;
    }

    @Override
    int noteAll(Connection connection, List<Outgoing> messages) throws SQLException {
      String sql =
          "INSERT INTO raw_inbox (message_id) SELECT unnest(?::uuid[]) ON CONFLICT DO NOTHING";
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        Object[] ids = messages.stream().map(Outgoing::id).toArray();
        insert.setArray(1, connection.createArrayOf("uuid", ids));
        return insert.executeUpdate();
      }
    }
  },

  MARIADB(
      "CREATE TABLE raw_inbox (message_id binary(16) PRIMARY KEY)",
      "INSERT IGNORE INTO raw_inbox (message_id) VALUES (?)") {
    @Override
    boolean folds() {
      return false;
    }

    @Override
    Object bound(UUID id) {
      return ByteBuffer.allocate(16)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
    }

    @Override
    int noteAll(Connection connection, List<Outgoing> messages) throws SQLException {
      String rows = String.join(",", Collections.nCopies(messages.size(), "(?)"));
      String sql = "INSERT IGNORE INTO raw_inbox (message_id) VALUES " + rows;
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        for (int i = 0; i < messages.size(); i++) {
          insert.setObject(i + 1, bound(messages.get(i).id()));
        }
        return insert.executeUpdate();
      }
    }
  };

  /** One statement; parameters: message id, and those of the business. */
  private static final String FOLDED =
      """
      WITH fresh AS (
        INSERT INTO raw_inbox (message_id) VALUES (?) ON CONFLICT DO NOTHING RETURNING 1)
      """
          + BusinessTable.INSERT_SELECT
          + "FROM fresh";

  private final String create;
  private final String note;

  RawInbox(String create, String note) {
    this.create = create;
    this.note = note;
  }

  static RawInbox of(DatabaseKind database) {
    return valueOf(database.name());
  }

  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(create);
    }
  }

  /** False if it was noted before. */
  boolean note(Connection connection, Outgoing message) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(note)) {
      insert.setObject(1, bound(message.id()));
      return insert.executeUpdate() == 1;
    }
  }

  /** Notes all that were not before, and says how many. Messages are in the order of their ids. */
  abstract int noteAll(Connection connection, List<Outgoing> messages) throws SQLException;

  /** True if {@link #take} is there. */
  abstract boolean folds();

  /** Note and row of the business in one statement. */
  void take(Connection connection, Outgoing message) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(FOLDED)) {
      insert.setObject(1, bound(message.id()));
      BusinessTable.bind(insert, 2, message.number());
      insert.executeUpdate();
    }
  }

  abstract Object bound(UUID id);
}
