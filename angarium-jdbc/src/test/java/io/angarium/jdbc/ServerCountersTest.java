package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerCounters;
import io.angarium.testservers.ServerOptions;
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

  /**
   * The most that a message may cost; what is measured is less by 7 to 50 %.
   *
   * @param heap bytes that relay and driver take, from its read to its delete
   * @param logIn bytes of the server's log to write it, in one transaction with many
   * @param logOut bytes of the server's log to send it
   */
  private record Limits(double heap, double logIn, double logOut) {}

  private static final Limits ON_POSTGRES = new Limits(2_400, 500, 90);
  private static final Limits ON_MARIADB = new Limits(3_000, 400, 160);

  /** Its driver takes more. */
  private static final Limits ON_MYSQL = new Limits(4_500, 450, 320);

  /** Nobody else counts there, nor is purged after earlier tests. */
  private static final ServerOptions OWN = ServerOptions.standard().ownProcess();

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      ServerOptions counting =
          OWN.setting("shared_preload_libraries", "pg_stat_statements")
              .setting("full_page_writes", "off"); // of whole pages, however little changed
      check(Server.POSTGRESQL, counting, ON_POSTGRES);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(Server.MARIADB, OWN, ON_MARIADB);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql {
    @Test
    void messagesCostWhatIsStated() throws SQLException {
      check(Server.MYSQL, OWN, ON_MYSQL);
    }
  }

  private static void check(Server kind, ServerOptions options, Limits limits) throws SQLException {
    try (DatabaseServer server = DatabaseServer.start(kind, options)) {
      check(server, limits);
    }
  }

  private static void check(DatabaseServer server, Limits limits) throws SQLException {
    TestDatabase fresh = server.freshDatabase();
    ServerCounters counters = ServerCounters.of(server);
    ConnectionSource dataSource = new ConnectionSource(fresh::connect);
    ManualClock clock = ManualClock.create();
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE), clock);

    ServerCounters.Counts start = counters.read(fresh);
    send(database);
    ServerCounters.Counts sent = counters.read(fresh);
    write(database, dataSource);
    ServerCounters.Counts written = counters.read(fresh);
    long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    relay(database, clock);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    ServerCounters.Counts relaying = counters.read(fresh).since(written);

    ServerCounters.Counts sending = sent.since(start);
    assertThat(sending.inserts()).isEqualTo(1);
    assertThat(sending.commits()).isEqualTo(1);
    double messages = SENT + RELAYED;
    double statements = relaying.statements() / messages;
    double heap = allocated / messages;
    double logIn = written.since(sent).logBytes() / (double) RELAYED;
    double logOut = relaying.logBytes() / messages;
    System.out.printf(
        "%s counted, transaction of %d messages: 1 INSERT, 1 COMMIT, %.1f bytes of log each;"
            + " relay draining: %.4f statements, %.1f bytes of log, %.0f of heap each%n",
        server.server().title(), SENT, logIn, statements, logOut, heap);
    assertThat(statements).isPositive().isLessThanOrEqualTo(STATEMENTS_PER_MESSAGE_MAX);
    assertThat(heap).isPositive().isLessThanOrEqualTo(limits.heap());
    assertThat(logIn).isPositive().isLessThanOrEqualTo(limits.logIn());
    assertThat(logOut).isPositive().isLessThanOrEqualTo(limits.logOut());
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

  /**
   * Time passes by rounds: on a slow machine more rows would still be in flight when the relay
   * looks for late ones, and each costs heap then. {@link MySqlCosts} limits that.
   */
  private static void relay(JdbcDatabase database, ManualClock clock) {
    AcknowledgingTransport transport = new AcknowledgingTransport();
    try (JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases()) {
      try (Relay relay = Relay.builder(store, leases).transport(transport).build()) {
        while (transport.acknowledged() < SENT + RELAYED) {
          relay.runOnce();
          clock.advance(JdbcConfig.DEFAULTS.settleLag());
        }
      }
      assertThat(store.backlog().depth()).isZero();
    }
  }
}
