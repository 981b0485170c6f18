package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that end in the middle of something: an error, then recovery, and nothing lost. */
@RequiresServer(Server.POSTGRESQL)
final class LostConnectionTest {
  private static final String END_OTHERS =
      """
      SELECT count(pg_terminate_backend(pid))
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """;

  private final DataSource dataSource = EmptyDatabase.postgres();
  private final JdbcDatabase database =
      JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  private final JdbcOutboxStore store = database.store();
  private final JdbcLeaseStore leases = database.leases();
  private final NodeId node = new NodeId("node-1", new UUID(0, 1));

  @AfterEach
  void close() {
    store.close();
    leases.close();
  }

  @Test
  void readFailsOnceAndThenGoesOn() throws SQLException {
    List<StoredMessage> written = write(3);
    assertThat(read()).hasSize(3);

    endConnections();

    assertThatThrownBy(this::read)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("reading the outbox")
        .hasMessageContaining("57P01")
        .hasCauseInstanceOf(SQLException.class);
    assertThat(read()).extracting(StoredMessage::id).isEqualTo(ids(written));
  }

  @Test
  void reasonWhyTheInboxCouldNotProcessSurvivesItsConnection() throws SQLException {
    EmptyDatabase.execute(dataSource, "CREATE TABLE stock (id int)");
    JdbcInbox inbox =
        JdbcInbox.open(dataSource, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

    assertThatThrownBy(
            () ->
                inbox.update(
                    InboxKey.of("stock", "42"),
                    "INSERT INTO stock SELECT 1 WHERE :fresh AND pg_terminate_backend(pg_backend_pid())"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Failed running the statement for stock")
        .hasMessageContaining("57P01");
  }

  @Test
  void connectionThatEndedWhileNobodyUsedItIsReplacedUnnoticed() throws SQLException {
    ManualClock clock = ManualClock.create();
    try (JdbcOutboxStore idle = JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS, clock).store()) {
      write(1);
      assertThat(idle.lastSequence()).isEqualTo(1);

      endConnections();
      clock.advance(Duration.ofSeconds(15));

      assertThat(idle.lastSequence()).isEqualTo(1);
    }
  }

  @Test
  void deleteFailsOnceAndThenGoesOn() throws SQLException {
    List<StoredMessage> written = write(3);
    store.delete(List.of(written.get(0).position()));

    endConnections();

    assertThatThrownBy(() -> store.delete(List.of(written.get(1).position())))
        .isInstanceOf(StoreException.class);
    assertThat(read()).hasSize(2);
    store.delete(List.of(written.get(1).position()));
    assertThat(read()).extracting(StoredMessage::id).isEqualTo(ids(written.subList(2, 3)));
  }

  @Test
  void fencedWriteFailsOnceWithoutATraceAndThenGoesOn() throws SQLException {
    List<StoredMessage> written = write(2);
    Lease lease = lease();
    ParkedEntry parking = ParkedEntry.head(written.get(0), 1, Duration.ZERO, "down");
    store.park(List.of(lease), List.of());

    endConnections();

    assertThatThrownBy(() -> store.park(List.of(lease), List.of(parking)))
        .isInstanceOf(StoreException.class);
    assertThat(read()).hasSize(2);
    store.park(List.of(lease), List.of(parking));
    assertThat(read()).hasSize(1);
    assertThat(store.dueHeads(List.of(0), List.of(), ReadLimit.rows(10)).rows()).hasSize(1);
  }

  @Test
  void heartbeatFailsOnceAndThenGoesOn() {
    leases.heartbeat(node, true, Duration.ofMinutes(1));

    endConnections();

    assertThatThrownBy(() -> leases.heartbeat(node, true, Duration.ofMinutes(1)))
        .isInstanceOf(StoreException.class);
    assertThat(leases.heartbeat(node, true, Duration.ofMinutes(1)).takingPart())
        .containsExactly("node-1");
  }

  @Test
  void transactionWhoseConnectionEndsWritesNothing() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      database.writer().write(connection, messages(2));

      endConnections();

      assertThatThrownBy(() -> database.writer().write(connection, messages(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("roll the transaction back");
    }
    assertThat(read()).isEmpty();
  }

  @Test
  void deadNetworkIsGivenUpAfterTheTimeout() throws Exception {
    DatabaseServer server = SharedServers.postgres();
    TestDatabase real = server.freshDatabase();
    try (FaultProxy proxy = FaultProxy.to(server.host(), server.port())) {
      TestDatabase proxied = real.through(proxy);
      JdbcConfig config =
          JdbcConfig.DEFAULTS
              .schemaMode(SchemaMode.CREATE)
              .statementTimeout(Duration.ofSeconds(1))
              .leaseTimeout(Duration.ofMillis(500));
      JdbcDatabase behind = JdbcDatabase.open(new ConnectionSource(proxied::connect), config);
      try (JdbcOutboxStore reader = behind.store()) {
        assertThat(lastSequenceAtLast(reader)).isZero();

        proxy.blackhole();

        assertThatThrownBy(reader::lastSequence).isInstanceOf(StoreException.class);
        proxy.heal();
        assertThat(lastSequenceAtLast(reader)).isZero();
      }
    }
  }

  /** A server that stalls may take longer than the timeout, too. */
  private static long lastSequenceAtLast(JdbcOutboxStore reader) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return reader.lastSequence();
      } catch (StoreException e) {
        assertThat(System.nanoTime()).as("%s", e).isLessThan(deadline);
      }
    }
  }

  @Test
  void sessionSettingsDoNotLeakIntoThePool() throws SQLException {
    try (Connection single = dataSource.getConnection()) {
      single.setAutoCommit(false);
      DataSource pool = new ConnectionSource(() -> Unclosable.of(single));
      try (JdbcOutboxStore pooled = JdbcDatabase.open(pool, JdbcConfig.DEFAULTS).store()) {
        pooled.delete(List.of(new io.angarium.intake.Position(0, 1)));
        assertThat(setting(single, "synchronous_commit")).isEqualTo("off");
      }

      assertThat(setting(single, "synchronous_commit")).isEqualTo("on");
      assertThat(setting(single, "enable_seqscan")).isEqualTo("on");
      assertThat(single.getAutoCommit()).isFalse();
      assertThat(single.getNetworkTimeout()).isZero();
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    return Sql.of("SELECT current_setting(?)", name).query(connection, r -> r.getString(1)).get(0);
  }

  private void endConnections() {
    EmptyDatabase.number(dataSource, END_OTHERS);
  }

  private Lease lease() {
    leases.prepare(Partitioning.DEFAULTS);
    leases.heartbeat(node, true, Duration.ofMinutes(1));
    return leases.acquire(node, List.of(0), Duration.ZERO).get(0);
  }

  private List<StoredMessage> write(int count) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<StoredMessage> written = StoredRows.write(database, connection, messages(count));
      connection.commit();
      return written;
    }
  }

  private static List<NewMessage> messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new NewMessage(
                    new MessageId(UUID.randomUUID()),
                    0,
                    Message.of("kafka:orders", new byte[] {1}).key("k" + i)))
        .toList();
  }

  private List<StoredMessage> read() {
    return store.read(List.of(SequenceRange.after(0, 0)), ReadLimit.rows(100)).rows();
  }

  private static List<MessageId> ids(List<StoredMessage> rows) {
    return rows.stream().map(StoredMessage::id).toList();
  }
}
