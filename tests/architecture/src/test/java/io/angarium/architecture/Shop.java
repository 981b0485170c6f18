package io.angarium.architecture;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.Relay;
import java.sql.SQLException;
import javax.sql.DataSource;

class Shop implements AutoCloseable {
  private final KafkaTransport kafka;
  private final Relay relay;
  private final JdbcOutbox outbox;

  Shop(DataSource dataSource) {
    JdbcConfig config = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
    JdbcDatabase database = JdbcDatabase.open(dataSource, config);
    kafka = KafkaTransport.open(KafkaConfig.of("localhost:9092"));
    relay = Relay.builder(database.store(), database.leases()).transport(kafka).build();
    relay.start();
    outbox = database.outbox(MessageIntake.of("shop"), relay);
  }

  MessageId pay(long id, byte[] json) throws SQLException {
    return outbox.inTransaction(
        (connection, messages) -> {
          String sql = "UPDATE orders SET state = 'paid' WHERE id = ?";
          try (var paid = connection.prepareStatement(sql)) {
            paid.setLong(1, id);
            paid.executeUpdate();
          }
          return messages.send(Message.of("kafka:orders", json).key("order-" + id));
        });
  }

  @Override
  public void close() { // then close the pool
    relay.close();
    kafka.close();
  }
}
