package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that cannot be reached: a clear error, nothing lost, and then it works again. */
final class UnreachableDatabaseTest {
  private static final JdbcConfig CONFIG = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  @Test
  void poolThatReportsItInItsOwnWayIsUnderstood() {
    DataSource pool =
        new ConnectionSource(
            () -> {
              throw new IllegalStateException("pool could not be filled");
            });

    assertThatThrownBy(() -> JdbcDatabase.open(pool, CONFIG))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("pool could not be filled")
        .hasMessageContaining("check that it runs");
  }

  @Test
  void poolWithoutAConnectionToSpareIsNamed() {
    DataSource pool =
        new ConnectionSource(
            () -> {
              throw new SQLTransientConnectionException("Connection is not available");
            });

    assertThatThrownBy(() -> JdbcDatabase.open(pool, CONFIG))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Connection is not available")
        .hasMessageContaining("the pool has a connection to spare");
  }

  @Test
  void poolThatFailsInItsOwnWayLaterIsUnderstoodToo() {
    AtomicBoolean down = new AtomicBoolean();
    DataSource h2 = EmptyDatabase.h2InMemory();
    DataSource pool =
        new ConnectionSource(
            () -> {
              if (down.get()) {
                throw new IllegalStateException("pool is empty");
              }
              return h2.getConnection();
            });
    JdbcOutbox outbox =
        JdbcDatabase.open(pool, CONFIG).outbox(MessageIntake.of(null), Handover.NONE);

    down.set(true);

    assertThatThrownBy(() -> outbox.inTransaction((connection, messages) -> true))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Failed beginning a transaction")
        .hasMessageContaining("pool is empty");
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Outage {
    OnPostgres() {
      super(SharedServers.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Outage {
    OnMariaDb() {
      super(SharedServers.mariaDb());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends Outage {
    OnMySql() {
      super(SharedServers.mySql());
    }
  }

  /** The same on every server, which is cut off by a proxy. */
  abstract static class Outage {
    private final FaultProxy proxy;
    private final DataSource dataSource;
    private final NodeId node = new NodeId("node-1", new UUID(0, 1));

    Outage(DatabaseServer server) {
      proxy = FaultProxy.to(server);
      TestDatabase database = server.freshDatabase().through(proxy);
      dataSource = new ConnectionSource(database::connect);
    }

    @AfterEach
    void closeProxy() {
      proxy.close();
    }

    @Test
    void startFailsClearlyAndSucceedsOnceTheDatabaseIsThere() {
      proxy.refuse();
      assertThatThrownBy(() -> JdbcDatabase.open(dataSource, CONFIG))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("check that it runs and that URL, user and password are right")
          .hasCauseInstanceOf(SQLException.class);

      proxy.heal();

      try (JdbcOutboxStore store = JdbcDatabase.open(dataSource, CONFIG).store()) {
        assertThat(store.lastSequence()).isZero();
      }
    }

    @Test
    void everyCallFailsClearlyAndNothingIsLost() throws SQLException {
      JdbcDatabase database = JdbcDatabase.open(dataSource, CONFIG);
      List<StoredMessage> written = write(database, 3);
      try (JdbcOutboxStore store = database.store();
          JdbcLeaseStore leases = database.leases()) {
        Lease lease = lease(leases);
        ParkedEntry parking = ParkedEntry.head(written.get(0), 1, Duration.ZERO, "down");

        proxy.refuse();

        assertFails("reading the outbox", () -> read(store));
        assertFails("", () -> store.delete(List.of(written.get(1).position())));
        assertFails("", () -> store.park(List.of(lease), List.of(parking)));
        assertFails("", () -> leases.heartbeat(node, true, Duration.ofMinutes(1)));
        proxy.heal();
        assertThat(read(store)).extracting(StoredMessage::id).isEqualTo(ids(written));
        store.park(List.of(lease), List.of(parking));
        store.delete(List.of(written.get(1).position()));
        assertThat(read(store)).extracting(StoredMessage::id).containsExactly(id(written, 2));
        assertThat(leases.heartbeat(node, true, Duration.ofMinutes(1)).takingPart()).hasSize(1);
      }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transactionThatLosesItsDatabaseLeavesNothing(boolean delayed) throws SQLException {
      JdbcDatabase database = JdbcDatabase.open(dataSource, CONFIG);
      List<NewMessage> next = delayed ? delayed(messages(1)) : messages(1);
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        database.writer().write(connection, messages(1));

        proxy.refuse();

        assertFails("roll the transaction back", () -> database.writer().write(connection, next));
      }
      proxy.heal();
      try (JdbcOutboxStore store = database.store()) {
        assertThat(read(store)).isEmpty();
        assertThat(ids(write(database, 1))).isEqualTo(ids(read(store)));
      }
    }

    private static void assertFails(String part, ThrowingCallable call) {
      assertThatThrownBy(call)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(part)
          .hasMessageContaining("SQLState")
          .hasCauseInstanceOf(SQLException.class);
    }

    private Lease lease(JdbcLeaseStore leases) {
      leases.prepare(Partitioning.DEFAULTS);
      leases.heartbeat(node, true, Duration.ofMinutes(1));
      return leases.acquire(node, List.of(0), Duration.ZERO).get(0);
    }

    private List<StoredMessage> write(JdbcDatabase database, int count) throws SQLException {
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

    private static List<NewMessage> delayed(List<NewMessage> messages) {
      return messages.stream()
          .map(
              message ->
                  new NewMessage(
                      message.id(),
                      message.partition(),
                      message.message().notBefore(Instant.EPOCH)))
          .toList();
    }

    private static List<StoredMessage> read(JdbcOutboxStore store) {
      return store.read(List.of(SequenceRange.after(0, 0)), ReadLimit.rows(100)).rows();
    }

    private static List<MessageId> ids(List<StoredMessage> rows) {
      return rows.stream().map(StoredMessage::id).toList();
    }

    private static MessageId id(List<StoredMessage> rows, int index) {
      return rows.get(index).id();
    }
  }
}
