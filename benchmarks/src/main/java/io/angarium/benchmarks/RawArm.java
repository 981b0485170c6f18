package io.angarium.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The best loop we can write by hand for one process without leases, retries or dead letters: one
 * thread reads from a cursor, the idempotent producer sends without waiting, another thread deletes
 * exact ids in batches. Order per key holds while nothing fails.
 */
final class RawArm implements Arm {
  private static final int READ = 2_000;
  private static final int DELETE = 1_000;
  private static final int IN_FLIGHT = 20_000;

  private final HikariDataSource dataSource;
  private final KafkaProducer<byte[], byte[]> producer;
  private String topic = "";

  RawArm(HikariDataSource dataSource, String bootstrapServers) {
    this.dataSource = dataSource;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", bootstrapServers,
                "acks", "all",
                "enable.idempotence", "true",
                "batch.size", "131072",
                "linger.ms", "5",
                "buffer.memory", "67108864"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public void fill(Workload workload, String topic) throws SQLException {
    this.topic = topic;
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS raw_outbox");
      statement.execute(
          """
          CREATE TABLE raw_outbox (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            message_key text NOT NULL, payload bytea NOT NULL)
          """);
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO raw_outbox (message_key, payload) VALUES (?, ?)")) {
        for (int i = 0; i < workload.messages(); i++) {
          insert.setString(1, workload.key(i));
          insert.setBytes(2, workload.payload(i));
          insert.addBatch();
          if (i % 1_000 == 999) {
            insert.executeBatch();
          }
        }
        insert.executeBatch();
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void drain(int messages) throws Exception {
    Semaphore window = new Semaphore(IN_FLIGHT);
    BlockingQueue<Long> acknowledged = new LinkedBlockingQueue<>();
    Thread deleter = new Thread(() -> delete(acknowledged, window, messages), "raw-delete");
    deleter.start();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                """
                SELECT id, message_key, payload FROM raw_outbox
                WHERE id > ? ORDER BY id LIMIT\
                """
                    + " "
                    + READ)) {
      long cursor = 0;
      for (int sent = 0; sent < messages; ) {
        select.setLong(1, cursor);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            cursor = rows.getLong(1);
            long id = cursor;
            window.acquire();
            sent++;
            send(id, rows.getString(2), rows.getBytes(3), acknowledged);
          }
        }
      }
    }
    deleter.join();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the result
  private void send(long id, String key, byte[] payload, BlockingQueue<Long> acknowledged) {
    producer.send(
        new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), payload),
        (metadata, failure) -> {
          if (failure == null) {
            acknowledged.add(id);
          }
        });
  }

  private void delete(BlockingQueue<Long> acknowledged, Semaphore window, int messages) {
    List<Long> batch = new ArrayList<>(DELETE);
    try (Connection connection = dataSource.getConnection();
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM raw_outbox o USING unnest(?::bigint[]) d(id) WHERE o.id = d.id")) {
      for (int deleted = 0; deleted < messages; deleted += batch.size(), batch.clear()) {
        Long first = acknowledged.poll(30, TimeUnit.SECONDS);
        if (first == null) {
          throw new IllegalStateException("no acknowledgement for 30 s after " + deleted);
        }
        batch.add(first);
        acknowledged.drainTo(batch, DELETE - 1);
        delete.setArray(1, connection.createArrayOf("bigint", batch.toArray()));
        delete.executeUpdate();
        window.release(batch.size());
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public long left() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM raw_outbox")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
