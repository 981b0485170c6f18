package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.relay.Relay;
import io.angarium.testkit.FakeBroker;
import io.angarium.testkit.FakeTransport;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import io.angarium.transport.KeyOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a message costs, counted by the database itself. */
final class ServerCountersTest {
  private static final int SENT = 1_000;
  private static final int RELAYED = 50_000;
  private static final double STATEMENTS_PER_MESSAGE_MAX = 0.01;

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      ServerOptions counting =
          ServerOptions.standard()
              .ownProcess()
              .setting("shared_preload_libraries", "pg_stat_statements");
      try (DatabaseServer server = DatabaseServer.start(Server.POSTGRESQL, counting)) {
        check(server);
      }
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(SharedServers.mariaDb());
    }
  }

  @Nested
  @RequiresServer(Server.MYSQL)
  final class OnMySql {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(SharedServers.mySql());
    }
  }

  private static void check(DatabaseServer server) throws SQLException {
    TestDatabase fresh = server.freshDatabase();
    ServerCounters.Source counters = ServerCounters.of(server, fresh);
    ConnectionSource dataSource = new ConnectionSource(fresh::connect);
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

    ServerCounters before = counters.read();
    send(database);
    ServerCounters sending = counters.read().since(before);
    write(database, dataSource);
    before = counters.read();
    relay(database);
    ServerCounters relaying = counters.read().since(before);

    double perMessage = relaying.statements() / (double) (SENT + RELAYED);
    System.out.printf(
        "%s counted, transaction of %d messages: %d INSERT, %d COMMIT;"
            + " relay draining: %.4f statements per message%n",
        server.server().title(), SENT, sending.inserts(), sending.commits(), perMessage);
    assertThat(sending.inserts()).isEqualTo(1);
    assertThat(sending.commits()).isEqualTo(1);
    assertThat(perMessage).isPositive().isLessThanOrEqualTo(STATEMENTS_PER_MESSAGE_MAX);
  }

  private static void send(JdbcDatabase database) {
    JdbcOutbox outbox = database.outbox(MessageIntake.of(null), Handover.NONE);
    Message message = Message.of("kafka:orders", new byte[10]).key("k");
    outbox.inTransaction(
        (connection, out) -> IntStream.range(0, SENT).mapToObj(i -> out.send(message)).toList());
  }

  private static void write(JdbcDatabase database, ConnectionSource dataSource)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      database.writer().write(connection, PostgresScene.messages(RELAYED));
      connection.commit();
    }
  }

  private static void relay(JdbcDatabase database) {
    FakeBroker broker = new FakeBroker();
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases()) {
      drain(store, leases, broker);
      assertThat(store.backlog().depth()).isZero();
    }
  }

  private static void drain(JdbcOutboxStore store, JdbcLeaseStore leases, FakeBroker broker) {
    try (Relay relay =
        Relay.builder(store, leases)
            .transport(FakeTransport.to(broker, "kafka", KeyOrder.PIPELINED))
            .build()) {
      while (broker.stored().size() < SENT + RELAYED) {
        relay.runOnce();
      }
    }
  }
}
