package io.angarium.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.jdbc.JdbcConfig;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcLeaseStore;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.Relay;
import io.angarium.relay.RelayConfig;
import io.angarium.relay.RelayListener;
import io.angarium.relay.Route;
import io.angarium.store.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Angarium with its defaults: leases, order through failures, retries, dead letters and all. */
final class AngariumArm implements Arm {
  private static final int PER_TRANSACTION = 1_000;

  private final JdbcDatabase database;
  private final KafkaTransport transport;
  private final MessageIntake intake;

  AngariumArm(HikariDataSource dataSource, String bootstrapServers) {
    this.database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    this.transport = KafkaTransport.open(KafkaConfig.of(bootstrapServers));
    this.intake = MessageIntake.of(null);
  }

  @Override
  public String name() {
    return "angarium";
  }

  @Override
  public void fill(Workload workload, String topic) {
    JdbcOutbox outbox = database.outbox(intake, Handover.NONE);
    for (int from = 0; from < workload.messages(); from += PER_TRANSACTION) {
      List<Message> messages = new ArrayList<>(PER_TRANSACTION);
      for (int i = from; i < Math.min(from + PER_TRANSACTION, workload.messages()); i++) {
        messages.add(workload.message(topic, i));
      }
      outbox.inTransaction((connection, tx) -> tx.sendAll(messages));
    }
  }

  @Override
  public void drain(int messages) throws InterruptedException {
    CountDownLatch sent = new CountDownLatch(messages);
    RelayListener counter =
        new RelayListener() {
          @Override
          public void sent(StoredMessage message, Route route, Duration age) {
            sent.countDown();
          }
        };
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases()) {
      try (Relay relay = relay(store, leases, counter)) {
        relay.start();
        if (!sent.await(120, TimeUnit.SECONDS)) {
          throw new IllegalStateException(sent.getCount() + " messages not sent after 120 s");
        }
      } // closed when the last delete is committed
    }
  }

  @Override
  public long left() {
    try (JdbcOutboxStore store = database.store()) {
      return store.backlog().depth();
    }
  }

  private Relay relay(JdbcOutboxStore store, JdbcLeaseStore leases, RelayListener counter) {
    return Relay.builder(store, leases)
        .transport(transport)
        .config(RelayConfig.defaults("benchmark"))
        .listener(counter)
        .build();
  }

  @Override
  public void close() {
    transport.close();
  }
}
