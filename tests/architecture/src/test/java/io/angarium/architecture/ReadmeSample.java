package io.angarium.architecture;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageIntake;
import io.angarium.jdbc.JdbcConfig;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.Relay;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The plain JDBC sample of the READMEs, compiled. */
final class ReadmeSample {
  private ReadmeSample() {}

  static MessageId plainJdbc(DataSource dataSource, byte[] json) throws SQLException {
    JdbcConfig config = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
    JdbcDatabase database = JdbcDatabase.open(dataSource, config);
    Relay relay =
        Relay.builder(database.store(), database.leases())
            .transport(KafkaTransport.open(KafkaConfig.of("localhost:9092")))
            .build();
    relay.start();
    JdbcOutbox outbox = database.outbox(MessageIntake.of("shop"), relay);

    MessageId id =
        outbox.inTransaction(
            (connection, messages) -> {
              markPaid(connection, 4711);
              return messages.send(
                  Message.of("kafka:orders", json).key("order-4711").type("order-paid"));
            });
    return id;
  }

  private static void markPaid(Connection connection, long order) throws SQLException {
    try (var update = connection.prepareStatement("UPDATE orders SET paid = TRUE WHERE id = ?")) {
      update.setLong(1, order);
      update.executeUpdate();
    }
  }
}
