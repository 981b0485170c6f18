package io.angarium.crash;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The business side: a counter per key and an entry per message, in the same transaction as the
 * message. What stands here at the end, and nothing else, must have arrived. Immutable.
 *
 * @param keys how many keys there are
 * @param destination where the messages go
 */
record Ledger(int keys, String destination) {
  static final String FREE = "free";

  /** Creates its tables. */
  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE counters (name VARCHAR(40) PRIMARY KEY, seq INT NOT NULL)");
      statement.execute(
          "CREATE TABLE entries (message_id VARCHAR(36) PRIMARY KEY, name VARCHAR(40), seq INT)");
      for (int i = 0; i < keys; i++) {
        statement.execute("INSERT INTO counters VALUES ('key-" + i + "', 0)");
      }
    }
  }

  /** Writes one to three entries and sends their messages. */
  void trade(Connection connection, Outbox outbox, Random random) throws SQLException {
    if (random.nextInt(5) == 0) {
      enter(connection, outbox, FREE, 0);
      return;
    }
    TreeSet<String> names = new TreeSet<>(); // in one order, or transactions would deadlock
    for (int i = random.nextInt(3); i >= 0; i--) {
      names.add("key-" + random.nextInt(keys));
    }
    for (String name : names) {
      enter(connection, outbox, name, next(connection, name));
    }
  }

  private static int next(Connection connection, String name) throws SQLException {
    try (PreparedStatement update =
            connection.prepareStatement("UPDATE counters SET seq = seq + 1 WHERE name = ?");
        PreparedStatement select =
            connection.prepareStatement("SELECT seq FROM counters WHERE name = ?")) {
      update.setString(1, name);
      update.executeUpdate();
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private void enter(Connection connection, Outbox outbox, String name, int seq)
      throws SQLException {
    byte[] payload = (name + ":" + seq).getBytes(StandardCharsets.UTF_8);
    Message message = Message.of(destination, payload);
    MessageId id = outbox.send(name.equals(FREE) ? message : message.key(name));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO entries VALUES (?, ?, ?)")) {
      insert.setString(1, id.toString());
      insert.setString(2, name);
      insert.setInt(3, seq);
      insert.executeUpdate();
    }
  }

  /** True if that is the key of the message with that text. */
  static boolean isOfKey(String text, @Nullable String key) {
    String name = text.substring(0, text.indexOf(':'));
    return name.equals(key == null ? FREE : key);
  }

  /** The how-manieth of its key a message is. */
  static int number(String text) {
    return Integer.parseInt(text.substring(text.indexOf(':') + 1));
  }

  static long entries(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM entries")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** What was committed: name and number by message id. */
  static Map<String, String> committed(Connection connection) throws SQLException {
    Map<String, String> committed = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT message_id, name, seq FROM entries")) {
      while (row.next()) {
        committed.put(row.getString(1), row.getString(2) + ":" + row.getInt(3));
      }
    }
    return committed;
  }
}
