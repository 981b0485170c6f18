package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a heartbeat costs, and what it sees of a node that takes its partitions meanwhile. */
final class HeartbeatTest {
  private static final NodeId A = new NodeId("a", new UUID(0, 1));
  private static final NodeId B = new NodeId("b", new UUID(0, 2));
  private static final List<Integer> PARTITIONS = List.of(0, 1, 2);
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final String NOTED =
      "SELECT COUNT(*) FROM outbox_node WHERE transports = 'http,kafka'";

  /** An end that heartbeats cut, which must not leave a lock behind. */
  private static final Duration TOO_LONG = Duration.ofHours(1);

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Takeovers {
    private final DataSource database = EmptyDatabase.postgres();

    @Override
    public DataSource database() {
      return database;
    }

    @Override
    public Sql waiting() {
      return Sql.of(
          """
          SELECT 'waiting', count(*)
          FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
          """);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Takeovers {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Takeovers {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  final class OnH2 implements Costs {
    private final DataSource database = EmptyDatabase.h2InMemory();

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface Costs {
    DataSource database();

    @Test
    default void heartbeatCostsFewStatementsHoweverManyNodesThereAre() {
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(database().getConnection(), executed::add));
      try (JdbcLeaseStore leases = prepared(counted)) {
        for (int i = 0; i < 20; i++) {
          leases.heartbeat(new NodeId("node-" + i, new UUID(1, i)), true, LONG);
        }
        leases.heartbeat(A, true, LONG);
        leases.acquire(A, PARTITIONS, Duration.ZERO);
        executed.clear();

        Membership membership = leases.heartbeat(A, true, LONG);

        assertThat(membership.takingPart()).hasSize(21);
        assertThat(membership.owners()).containsOnlyKeys(PARTITIONS);
        assertThat(executed).hasSize(2);
      }
    }

    @Test
    default void transportsAreWrittenOnceAndCostNoStatementAtLaterHeartbeats() {
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(database().getConnection(), executed::add));
      try (JdbcLeaseStore leases = prepared(counted)) {
        leases.noteTransports(A, Set.of("kafka", "http"));
        leases.heartbeat(A, true, LONG);
        assertThat(executed).filteredOn(sql -> sql.contains("SET transports")).hasSize(1);
        executed.clear();

        leases.heartbeat(A, true, LONG);

        assertThat(executed).hasSize(2).noneMatch(sql -> sql.contains("transports"));
        assertThat(EmptyDatabase.number(database(), NOTED)).isEqualTo(1);
      }
    }

    /** The script that adds the column need not have run before new nodes start. */
    @Test
    default void tablesOfAnEarlierVersionKeepNoTransports() {
      try (JdbcLeaseStore leases = prepared(database())) {
        EmptyDatabase.execute(database(), "ALTER TABLE outbox_node DROP COLUMN transports");
        leases.noteTransports(A, Set.of("kafka"));

        assertThat(leases.transports()).isEmpty();
        assertThat(leases.heartbeat(A, true, LONG).takingPart()).containsExactly("a");
        assertThat(leases.heartbeat(A, true, LONG).takingPart()).containsExactly("a");
      }
    }

    @Test
    default void transportsAreNotedOnceTheTableIsNew() {
      try (JdbcLeaseStore leases = prepared(database())) {
        EmptyDatabase.execute(database(), "ALTER TABLE outbox_node DROP COLUMN transports");
        leases.noteTransports(A, Set.of("kafka"));
        leases.heartbeat(A, true, LONG);

        EmptyDatabase.execute(
            database(), "ALTER TABLE outbox_node ADD COLUMN transports VARCHAR(9)");
        leases.transports(); // as a relay asks when it lacks one
        leases.heartbeat(A, true, LONG);

        assertThat(leases.transports()).containsOnly(Map.entry(A, Set.of("kafka")));
      }
    }
  }

  interface Takeovers extends Costs {
    /** A name, and how many sessions wait for a lock. */
    default Sql waiting() {
      return Sql.of(
          """
          SELECT 'waiting', COUNT(*)
          FROM INFORMATION_SCHEMA.INNODB_TRX AS t
          JOIN INFORMATION_SCHEMA.PROCESSLIST AS p ON p.ID = t.trx_mysql_thread_id
          WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()
          """);
    }

    @Test
    default void heartbeatThatWaitedForATakeoverSeesTheNewOwner() throws Exception {
      try (JdbcLeaseStore leases = prepared(database());
          Connection taker = database().getConnection()) {
        leases.heartbeat(A, true, Duration.ZERO);
        leases.acquire(A, PARTITIONS, Duration.ZERO);
        leases.heartbeat(B, true, TOO_LONG);
        taker.setAutoCommit(false);
        taker.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        takeOver(taker);

        CompletableFuture<Membership> late =
            CompletableFuture.supplyAsync(() -> leases.heartbeat(A, true, LONG));
        awaitThatOneWaits();
        taker.commit();

        Membership membership = late.get(60, TimeUnit.SECONDS);
        assertThat(membership.takingPart()).containsExactly("a", "b");
        assertThat(membership.owners()).containsOnlyKeys(PARTITIONS);
        assertThat(membership.owners().values())
            .allSatisfy(owner -> assertThat(owner.node()).isEqualTo(B));
      }
    }

    private void takeOver(Connection taker) throws Exception {
      JdbcDatabase opened = JdbcDatabase.open(database(), JdbcConfig.DEFAULTS);
      Dialect dialect = Dialects.of(opened.product(), new TableNames(JdbcConfig.DEFAULTS));
      dialect.leases().lockPartitions(PARTITIONS).run(taker);
      Transaction.runAll(taker, dialect.leases().lockExpired(PARTITIONS, Duration.ZERO));
      List<UUID> expired =
          dialect
              .leases()
              .expired(PARTITIONS, Duration.ZERO)
              .query(taker, row -> dialect.uuid(row, 1));
      dialect.leases().take(B, PARTITIONS, expired).run(taker);
      assertThat(expired).containsExactly(A.incarnation());
    }

    private void awaitThatOneWaits() throws SQLException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      try (Connection watching = database().getConnection()) {
        while (waiting().query(watching, row -> row.getLong(2)).get(0) == 0) {
          assertThat(System.nanoTime()).as("nobody waits").isLessThan(deadline);
          LockSupport.parkNanos(250_000_000); // such a table is renewed ten times a second at most
        }
      }
    }
  }

  private static JdbcLeaseStore prepared(DataSource dataSource) {
    JdbcConfig config = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
    JdbcLeaseStore leases = JdbcDatabase.open(PatientDatabase.of(dataSource), config).leases();
    leases.prepare(Partitioning.DEFAULTS);
    return leases;
  }
}
