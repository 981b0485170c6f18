package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.relay.Relay;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerCounters;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.lang.management.ManagementFactory;
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

  /** For a message of ten bytes, by relay and driver, from its read to its delete. */
  private static final long HEAP_BYTES_MAX = 3_000;

  /** Its driver takes more. */
  private static final long HEAP_BYTES_MAX_MYSQL = 4_500;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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
        check(server, HEAP_BYTES_MAX);
      }
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(SharedServers.mariaDb(), HEAP_BYTES_MAX);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MYSQL)
  final class OnMySql {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(SharedServers.mySql(), HEAP_BYTES_MAX_MYSQL);
    }
  }

  private static void check(DatabaseServer server, long heapBytesMax) throws SQLException {
    TestDatabase fresh = server.freshDatabase();
    ServerCounters counters = ServerCounters.of(server);
    ConnectionSource dataSource = new ConnectionSource(fresh::connect);
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

    ServerCounters.Counts before = counters.read(fresh);
    send(database);
    ServerCounters.Counts sending = counters.read(fresh).since(before);
    write(database, dataSource);
    before = counters.read(fresh);
    long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    relay(database);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    ServerCounters.Counts relaying = counters.read(fresh).since(before);

    double perMessage = relaying.statements() / (double) (SENT + RELAYED);
    System.out.printf(
        "%s counted, transaction of %d messages: %d INSERT, %d COMMIT;"
            + " relay draining: %.4f statements and %d bytes of heap per message%n",
        server.server().title(),
        SENT,
        sending.inserts(),
        sending.commits(),
        perMessage,
        allocated / (SENT + RELAYED));
    assertThat(sending.inserts()).isEqualTo(1);
    assertThat(sending.commits()).isEqualTo(1);
    assertThat(perMessage).isPositive().isLessThanOrEqualTo(STATEMENTS_PER_MESSAGE_MAX);
    assertThat(allocated / (SENT + RELAYED)).isPositive().isLessThanOrEqualTo(heapBytesMax);
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
    AcknowledgingTransport transport = new AcknowledgingTransport();
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases()) {
      try (Relay relay = Relay.builder(store, leases).transport(transport).build()) {
        while (transport.acknowledged() < SENT + RELAYED) {
          relay.runOnce();
        }
      }
      assertThat(store.backlog().depth()).isZero();
    }
  }
}
