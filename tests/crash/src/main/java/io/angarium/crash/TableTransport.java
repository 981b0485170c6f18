package io.angarium.crash;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/**
 * Writes messages into the table {@code delivered} in the order in which they are sent, so that
 * several processes share one consumer. Thread-safe.
 */
final class TableTransport implements Transport {
  private final DataSource database;
  private final String relay;

  /**
   * @param relay who sends
   */
  TableTransport(DataSource database, String relay) {
    this.database = database;
    this.relay = relay;
  }

  @Override
  public String name() {
    return "table";
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    SendResult result = SendResult.ACKNOWLEDGED;
    try {
      insert(messages);
    } catch (SQLException e) {
      result = new SendResult.Unavailable("the table of deliveries", e);
    }
    for (StoredMessage message : messages) {
      results.accept(message, result);
    }
  }

  private void insert(List<StoredMessage> messages) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO delivered (relay, message_key, n) VALUES (?, ?, ?)")) {
        for (StoredMessage stored : messages) {
          insert.setString(1, relay);
          insert.setString(2, stored.message().key());
          insert.setInt(
              3, Integer.parseInt(new String(stored.message().payload(), StandardCharsets.UTF_8)));
          insert.executeUpdate();
        }
      }
      connection.commit();
    }
  }

  @Override
  public Duration resultMax() {
    return Duration.ofSeconds(2);
  }

  @Override
  public Duration blockingMax() {
    return Duration.ofSeconds(2);
  }

  @Override
  public void flush(Duration timeout) {
    // nothing is buffered
  }

  @Override
  public void close() {
    // nothing is held
  }
}
