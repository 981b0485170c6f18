package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The leanest table that does: an id, a key, a payload, and no index but the primary key. */
enum RawTable {
  POSTGRESQL(
      """
      CREATE TABLE raw_outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_key text, payload bytea NOT NULL)
      """,
      "ctid") {
    /** The id is compared, too: after a rewrite of the table another row may lie there. */
    private static final String IN_PLACE =
        """
        DELETE FROM raw_outbox
        WHERE ctid = ANY (?::tid[]) AND (id IN (SELECT unnest(?::bigint[]))) IS TRUE
        """;

    private static final String BY_ID =
        """
        DELETE FROM raw_outbox o
        USING unnest(?::bigint[]) d(id)
        WHERE o.id = d.id
        """;

    /** A crash of the server may bring deleted rows back; they are sent again then. */
    private static final String SETTINGS =
        """
        SET enable_seqscan = off;
        SET plan_cache_mode = force_generic_plan;
        SET synchronous_commit = off
        """;

    private static final String RESET =
        """
        RESET enable_seqscan;
        RESET plan_cache_mode;
        RESET synchronous_commit
        """;

    @Override
    void delete(Connection connection, List<RawRow> rows) throws SQLException {
      Object[] ids = rows.stream().map(RawRow::id).toArray();
      int deleted;
      try (PreparedStatement delete = connection.prepareStatement(IN_PLACE)) {
        delete.setString(1, places(rows));
        delete.setArray(2, connection.createArrayOf("bigint", ids));
        deleted = delete.executeUpdate();
      }
      if (deleted < rows.size()) {
        try (PreparedStatement delete = connection.prepareStatement(BY_ID)) {
          delete.setArray(1, connection.createArrayOf("bigint", ids));
          delete.executeUpdate();
        }
      }
    }

    private String places(List<RawRow> rows) {
      return rows.stream().map(RawRow::place).collect(Collectors.joining("\",\"", "{\"", "\"}"));
    }

    @Override
    void prepare(Connection connection) throws SQLException {
      execute(connection, SETTINGS);
    }

    @Override
    void reset(Connection connection) throws SQLException {
      execute(connection, RESET);
    }
  },

  MARIADB(
      """
      CREATE TABLE raw_outbox (
        id bigint AUTO_INCREMENT PRIMARY KEY,
        message_key varchar(255), payload longblob NOT NULL)
      """,
      "''") {
    @Override
    void delete(Connection connection, List<RawRow> rows) throws SQLException {
      String marks = String.join(",", Collections.nCopies(rows.size(), "?"));
      String sql = "DELETE FROM raw_outbox WHERE id IN (" + marks + ")";
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        for (int i = 0; i < rows.size(); i++) {
          delete.setLong(i + 1, rows.get(i).id());
        }
        delete.executeUpdate();
      }
    }
  };

  private final String create;
  private final String place;

  RawTable(String create, String place) {
    this.create = create;
    this.place = place;
  }

  static RawTable of(DatabaseKind database) {
    return valueOf(database.name());
  }

  void create(Connection connection) throws SQLException {
    execute(connection, create);
  }

  /** Deletes exactly these. */
  abstract void delete(Connection connection, List<RawRow> rows) throws SQLException;

  /** Makes a connection of the relay's ready. */
  void prepare(Connection connection) throws SQLException {}

  /** Undoes {@link #prepare}. */
  void reset(Connection connection) throws SQLException {}

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Selects rows that meet a condition, in the order of their ids. */
  PreparedStatement select(Connection connection, String condition) throws SQLException {
    return connection.prepareStatement(
        "SELECT id, " + place + ", message_key, payload FROM raw_outbox WHERE " + condition);
  }

  static List<RawRow> rows(PreparedStatement select) throws SQLException {
    List<RawRow> found = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        found.add(new RawRow(row.getLong(1), row.getString(2), row.getString(3), row.getBytes(4)));
      }
    }
    return found;
  }

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

  /** Inserts in one statement and returns the rows, in the order of the messages. */
  List<RawRow> insertReturning(Connection connection, List<Outgoing> messages) throws SQLException {
    String values = String.join(", ", Collections.nCopies(messages.size(), "(?, ?)"));
    String into = "INSERT INTO raw_outbox (message_key, payload) VALUES ";
    try (PreparedStatement insert =
        connection.prepareStatement(into + values + " RETURNING id, " + place)) {
      int parameter = 1;
      for (Outgoing message : messages) {
        insert.setString(parameter++, message.key());
        insert.setBytes(parameter++, message.payload());
      }
      return inserted(insert, messages);
    }
  }

  private static List<RawRow> inserted(PreparedStatement insert, List<Outgoing> messages)
      throws SQLException {
    List<RawRow> rows = new ArrayList<>(messages.size());
    try (ResultSet row = insert.executeQuery()) {
      for (Outgoing message : messages) {
        row.next();
        rows.add(new RawRow(row.getLong(1), row.getString(2), message.key(), message.payload()));
      }
    }
    return rows;
  }
}
