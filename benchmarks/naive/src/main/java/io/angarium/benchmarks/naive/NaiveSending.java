package io.angarium.benchmarks.naive;

import io.angarium.benchmarks.arm.WaitingSender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The job of a message centre as one writes it first: reads a hundred messages that are committed,
 * sends one, waits for the broker, notes it, and goes on with the next.
 */
class NaiveSending {
  private static final long PAUSE_MILLIS = 1_000;

  private static final String READ =
      """
      SELECT id, message_key, payload FROM raw_half
      WHERE state = 2 AND send_state = 0
      ORDER BY id
      LIMIT 100
      """;
  private static final String SENT =
      """
      UPDATE raw_half SET send_state = 1, updated_at = CURRENT_TIMESTAMP(6)
      WHERE id = ? AND send_state = 0
      """;

  private final DataSource dataSource;
  private final WaitingSender sender;

  NaiveSending(DataSource dataSource, WaitingSender sender) {
    this.dataSource = dataSource;
    this.sender = sender;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(long id, String key, byte[] payload) {}

  @Scheduled(fixedDelay = PAUSE_MILLIS)
  void sendAll() throws SQLException {
    List<Row> rows = read();
    while (!rows.isEmpty()) {
      for (Row row : rows) {
        sender.send(row.key(), row.payload());
        note(row.id());
      }
      rows = read();
    }
  }

  private List<Row> read() throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(READ);
        ResultSet result = select.executeQuery()) {
      while (result.next()) {
        rows.add(new Row(result.getLong(1), result.getString(2), result.getBytes(3)));
      }
    }
    return rows;
  }

  private void note(long id) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement update = connection.prepareStatement(SENT)) {
      update.setLong(1, id);
      update.executeUpdate();
    }
  }
}
