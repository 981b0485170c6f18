package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
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
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What parking and the results of retries cost: by their number, not by what waits already. */
@OnOneJdk
final class ParkedCostTest {
  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Costs {
    private final DataSource database = EmptyDatabase.postgres();

    @Override
    public DataSource database() {
      return database;
    }

    @Override
    public String settle() {
      return "ALTER TABLE outbox_parked SET (autovacuum_enabled = false); ANALYZE outbox_parked";
    }

    @Override
    public long reads(List<Connection> sessions) throws SQLException {
      for (Connection session : sessions) {
        Sql.of("SELECT pg_stat_force_next_flush()").run(session);
        if (!session.getAutoCommit()) {
          session.commit(); // when the counters are reported
        }
      }
      return EmptyDatabase.number(
          database,
          """
          SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit
          FROM pg_statio_user_tables
          WHERE relname = 'outbox_parked'
          """);
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements Costs {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements Costs {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface Costs {
    int KEYS = 300;
    int PARTITIONS = 8;
    NodeId NODE = new NodeId("node", new UUID(0, 1));

    DataSource database();

    /** Rows that these sessions read up to now, or pages of the table that all have. */
    default long reads(List<Connection> sessions) throws SQLException {
      Sql counters = Sql.of("SHOW SESSION STATUS LIKE 'Handler_read_%'");
      long reads = 0;
      for (Connection session : sessions) {
        reads += counters.query(session, row -> row.getLong(2)).stream().mapToLong(n -> n).sum();
      }
      return reads;
    }

    @Test
    default void parkingAndSettlingCostTheSameHoweverManyWait() throws SQLException {
      long few = readsBehind(10);
      long many = readsBehind(10_000);

      String server = getClass().getSimpleName();
      System.out.printf("%s, parked behind 10: %d reads, 10 000: %d%n", server, few, many);
      assertThat(many).isLessThanOrEqualTo(2 * few);
    }

    /** What it takes to park one more message of a key and to take its head off. */
    private long readsBehind(int parked) throws SQLException {
      List<Connection> sessions = new ArrayList<>();
      DataSource noted =
          new ConnectionSource(
              () -> {
                sessions.add(database().getConnection());
                return sessions.get(sessions.size() - 1);
              });
      JdbcDatabase opened =
          JdbcDatabase.open(noted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      List<String> keys = Collections.nCopies(parked + 1, "behind " + parked);
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        List<Lease> lease = acquire(leases, 1);
        List<StoredMessage> rows = write(opened, keys, 1);
        List<ParkedEntry> parkings = rows.stream().map(ParkedEntry::follower).toList();
        store.park(lease, parkings.subList(0, parked));
        EmptyDatabase.execute(database(), settle());
        StoredMessage head = rows.get(0);
        ParkedOutcome sent =
            new ParkedOutcome(lease.get(0), head.keyHash(), List.of(head.position()), List.of());
        sessions.removeIf(Costs::isClosed);
        long before = reads(sessions);

        store.park(lease, parkings.subList(parked, parked + 1));
        store.settleParked(List.of(sent));
        return reads(sessions) - before;
      }
    }

    private static boolean isClosed(Connection connection) {
      try {
        return connection.isClosed();
      } catch (SQLException e) {
        return true;
      }
    }

    /** What the server would do in the background, perhaps while this measures. */
    default String settle() {
      return "ANALYZE TABLE outbox_parked";
    }

    @Test
    default void retriesThatFailCostThreeStatementsAndACommit() throws SQLException {
      assertThat(statements(Costs::failed)).hasSize(4).last().isEqualTo("COMMIT");
    }

    @Test
    default void retriesThatAreSentCostFiveStatementsAndACommit() throws SQLException {
      assertThat(statements(Costs::acknowledged)).hasSize(6).last().isEqualTo("COMMIT");
    }

    @Test
    default void bothTogetherCostSixStatementsAndACommit() throws SQLException {
      assertThat(
              statements(
                  (lease, row) ->
                      lease.partition() % 2 == 0 ? failed(lease, row) : acknowledged(lease, row)))
          .hasSize(7)
          .last()
          .isEqualTo("COMMIT");
    }

    private static ParkedOutcome failed(Lease lease, StoredMessage row) {
      ParkedEntry head = ParkedEntry.head(row, 2, Duration.ofHours(1), "down");
      return new ParkedOutcome(lease, row.keyHash(), List.of(), List.of(head));
    }

    private static ParkedOutcome acknowledged(Lease lease, StoredMessage row) {
      return new ParkedOutcome(lease, row.keyHash(), List.of(row.position()), List.of());
    }

    /** What goes to the database when the heads of many keys, parked before, are settled. */
    private List<String> statements(BiFunction<Lease, StoredMessage, ParkedOutcome> settlement)
        throws SQLException {
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(database().getConnection(), executed::add));
      JdbcDatabase opened =
          JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        List<Lease> held = acquire(leases, PARTITIONS);
        List<StoredMessage> rows = write(opened, keys(), PARTITIONS);
        store.park(held, rows.stream().map(Costs::head).toList());
        executed.clear();

        store.settleParked(
            rows.stream().map(row -> settlement.apply(leaseOf(row, held), row)).toList());
        return List.copyOf(executed); // without what follows the close
      }
    }

    private static Lease leaseOf(StoredMessage row, List<Lease> held) {
      int partition = row.position().partition();
      return held.stream().filter(lease -> lease.partition() == partition).findAny().orElseThrow();
    }

    private static List<Lease> acquire(JdbcLeaseStore leases, int partitions) {
      leases.prepare(Partitioning.DEFAULTS);
      leases.heartbeat(NODE, true, Duration.ofHours(1));
      return leases.acquire(NODE, IntStream.range(0, partitions).boxed().toList(), Duration.ZERO);
    }

    private static ParkedEntry head(StoredMessage row) {
      return ParkedEntry.head(row, 1, Duration.ZERO, "down");
    }

    private static List<String> keys() {
      return IntStream.range(0, KEYS).mapToObj(i -> "k" + i).toList();
    }

    private List<StoredMessage> write(JdbcDatabase opened, List<String> keys, int partitions)
        throws SQLException {
      List<NewMessage> messages = new ArrayList<>();
      for (String key : keys) {
        Message message = Message.of("kafka:orders", new byte[] {1}).key(key);
        MessageId id = new MessageId(UUID.randomUUID());
        messages.add(new NewMessage(id, messages.size() % partitions, message));
      }
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> written = StoredRows.write(opened, connection, messages);
        connection.commit();
        return written;
      }
    }
  }
}
