package io.angarium.benchmarks.angarium;

import io.angarium.Message;
import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketTransport;
import io.angarium.store.Backlog;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Angarium with all it does: leases, order through failures, retries, dead letters, and a hand-over
 * after each commit. Options: {@code relays} (default 1) in this JVM, each with its own
 * connections; {@code apart} (default 0): 1 if transactions take turns among the relays as if each
 * were a process of its own, so that a relay is told of its own alone; {@code history} (default 0):
 * 1 keeps what was sent; {@code poison} (default 0): 1 if some messages cannot be sent.
 */
public final class AngariumArm implements Arm {
  private final ArmSettings settings;
  private final BusinessDatabase business;
  private final JdbcDatabase database;
  private final Transport transport;
  private final String destination;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong unacknowledged = new AtomicLong();
  private volatile Relays relays = Relays.NONE;
  private volatile List<JdbcOutbox> outboxes;

  AngariumArm(ArmSettings settings) throws SQLException {
    this.settings = settings;
    this.business = BusinessDatabase.create(settings, 10 + 5 * settings.number("relays", 1));
    this.database =
        JdbcDatabase.open(
            business.dataSource(),
            JdbcConfig.DEFAULTS
                .schemaMode(SchemaMode.CREATE)
                .history(settings.number("history", 0) > 0));
    this.transport = transport(settings);
    this.destination = destination(settings);
    this.outboxes = outboxes(Relays.NONE);
  }

  private static Transport transport(ArmSettings settings) {
    String address = settings.brokerAddress();
    Transport transport =
        switch (settings.broker()) {
          case KAFKA -> KafkaTransport.open(KafkaConfig.of(address));
          case RABBITMQ -> RabbitTransport.open(RabbitConfig.of(address));
          case ROCKETMQ -> RocketTransport.open(RocketConfig.of(address));
        };
    return settings.number("poison", 0) > 0 ? new PoisonTransport(transport) : transport;
  }

  private static String destination(ArmSettings settings) {
    return switch (settings.broker()) {
      case KAFKA -> "kafka:" + settings.topic();
      case RABBITMQ -> "rabbitmq:/" + settings.topic(); // of the default exchange
      case ROCKETMQ -> "rocketmq:" + settings.topic();
    };
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(AngariumArm::new);
  }

  private List<JdbcOutbox> outboxes(Relays relays) {
    return relays.handovers().stream()
        .map(handover -> database.outbox(MessageIntake.of(null), handover))
        .toList();
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    List<Message> out = messages.stream().map(this::message).toList();
    List<JdbcOutbox> turns = outboxes;
    JdbcOutbox outbox = turns.get((int) (businessId % turns.size()));
    outbox.inTransaction(
        (connection, tx) -> {
          BusinessTable.insert(connection, businessId);
          return tx.sendAll(out);
        });
  }

  private Message message(Outgoing outgoing) {
    Message message = Message.of(destination, outgoing.payload());
    if (outgoing.key() != null) {
      message = message.key(outgoing.key());
    }
    return outgoing.poison() ? message.header(PoisonTransport.HEADER, "") : message;
  }

  @Override
  public void start() {
    RelayListener counter =
        new RelayListener() {
          @Override
          public void sent(StoredMessage message, Route route, Duration age) {
            sent.incrementAndGet();
          }

          @Override
          public void attempted(StoredMessage message, Route route, SendResult result) {
            if (!(result instanceof SendResult.Acknowledged)) {
              unacknowledged.incrementAndGet();
            }
          }
        };
    relays = Relays.start(database, transport, settings, counter);
    outboxes = outboxes(relays);
  }

  @Override
  public void stop() {
    outboxes = outboxes(Relays.NONE);
    relays.close(); // returns when the last delete is committed
    relays = Relays.NONE;
  }

  @Override
  public long sent() {
    return sent.get();
  }

  @Override
  public long unacknowledged() {
    return unacknowledged.get();
  }

  @Override
  public long left() throws SQLException {
    try (JdbcOutboxStore store = database.store()) {
      long depth = store.backlog().depth();
      return depth <= Backlog.EXACT_MAX ? depth : business.number("SELECT count(*) FROM outbox");
    }
  }

  @Override
  public void close() {
    relays.close();
    transport.close();
    business.close();
  }
}
