package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Partitioning;
import io.angarium.store.Lease;
import io.angarium.store.NewMessage;
import io.angarium.store.NodeId;
import io.angarium.store.Parking;
import io.angarium.store.Settlement;
import io.angarium.store.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The results of retries cost as many statements for many keys as for one. */
final class SettleCostTest {
  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Costs {
    private final DataSource database = EmptyDatabase.postgres();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb implements Costs {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresServer(Server.MYSQL)
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
                  row -> row.position().partition() % 2 == 0 ? failed(row) : acknowledged(row)))
          .hasSize(7)
          .last()
          .isEqualTo("COMMIT");
    }

    private static Settlement failed(StoredMessage row) {
      Parking head = Parking.head(row, 2, Duration.ofHours(1), "down");
      return new Settlement(lease(row), row.keyHash(), List.of(), List.of(head));
    }

    private static Settlement acknowledged(StoredMessage row) {
      return new Settlement(lease(row), row.keyHash(), List.of(row.position()), List.of());
    }

    /** The first lease of a partition. */
    private static Lease lease(StoredMessage row) {
      return new Lease(row.position().partition(), NODE, 1);
    }

    /** What goes to the database when the heads of many keys, parked before, are settled. */
    private List<String> statements(Function<StoredMessage, Settlement> settlement)
        throws SQLException {
      List<String> executed = new ArrayList<>();
      DataSource counted =
          new ConnectionSource(() -> Counted.of(database().getConnection(), executed::add));
      JdbcDatabase opened =
          JdbcDatabase.open(counted, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        leases.prepare(Partitioning.DEFAULTS);
        leases.heartbeat(NODE, true, Duration.ofHours(1));
        List<Integer> partitions = IntStream.range(0, PARTITIONS).boxed().toList();
        List<Lease> held = leases.acquire(NODE, partitions, Duration.ZERO);
        List<StoredMessage> rows = write(opened);
        for (Lease lease : held) {
          store.park(
              List.of(lease),
              rows.stream()
                  .filter(row -> row.position().partition() == lease.partition())
                  .map(row -> Parking.head(row, 1, Duration.ZERO, "down"))
                  .toList());
        }
        executed.clear();

        store.settleParked(rows.stream().map(settlement).toList());
        return List.copyOf(executed); // without what follows the close
      }
    }

    private List<StoredMessage> write(JdbcDatabase opened) throws SQLException {
      List<NewMessage> messages =
          IntStream.range(0, KEYS)
              .mapToObj(
                  i ->
                      new NewMessage(
                          new MessageId(new UUID(7, i)),
                          i % PARTITIONS,
                          Message.of("kafka:orders", new byte[] {1}).key("k" + i)))
              .toList();
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> written = StoredRows.write(opened, connection, messages);
        connection.commit();
        return written;
      }
    }
  }
}
