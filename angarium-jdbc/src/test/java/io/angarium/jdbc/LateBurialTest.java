package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
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
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The relay buries a message while a person changes it and another one, at any statement. */
final class LateBurialTest {
  private static final Partitioning PARTITIONS = new Partitioning(4, 2);
  private static final int DEAD = 1;
  private static final int LATE = 2;
  private static final Duration LONG = Duration.ofHours(1);

  @Nested
  final class OnH2 implements Burials {
    @Override
    public DataSource database() {
      return EmptyDatabase.h2InMemory();
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Burials {
    @Override
    public DataSource database() {
      return EmptyDatabase.postgres();
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements Burials {
    @Override
    public DataSource database() {
      return EmptyDatabase.mariaDb();
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements Burials {
    @Override
    public DataSource database() {
      return EmptyDatabase.mySql();
    }
  }

  interface Burials {
    DataSource database();

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    default void requeueLosesNoMessage(boolean blocks, boolean withReason) throws SQLException {
      BiConsumer<DeadLetters, List<MessageId>> requeue =
          (dead, ids) -> {
            if (withReason) {
              dead.requeue(ids, new Decision("ann", "repaired"));
            } else {
              dead.requeue(ids, "ann");
            }
          };
      try (Scene scene = new Scene(database())) {
        int statement = 0;
        do {
          statement++;
          List<StoredMessage> rows = scene.write();
          scene.bury(rows.get(0), blocks);
          scene.before(statement, () -> scene.buryBeforeOther(rows, blocks));

          requeue.accept(scene.watched, ids(rows.subList(0, 2)));

          assertThat(scene.messages()).as("left at statement %d", statement).isEqualTo(3);
          assertThat(scene.stuck()).as("stuck at statement %d", statement).isZero();
          scene.empty();
        } while (scene.hasBuried());
        assertThat(statement).isGreaterThan(5);
      }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    default void discardLetsAWaitingMessageGoOn(boolean blocks) throws SQLException {
      try (Scene scene = new Scene(database())) {
        int statement = 0;
        do {
          statement++;
          List<StoredMessage> rows = scene.write();
          scene.bury(rows.get(0), blocks);
          scene.before(statement, () -> scene.buryBeforeOther(rows, blocks));

          scene.watched.discard(ids(rows.subList(0, 2)), "ann");

          assertThat(scene.stuck()).as("stuck at statement %d", statement).isZero();
          scene.empty();
        } while (scene.hasBuried());
        assertThat(statement).isGreaterThan(3);
      }
    }

    private static List<MessageId> ids(List<StoredMessage> rows) {
      return rows.stream().map(StoredMessage::id).toList();
    }
  }

  /** A database, its relay, and a person whose statements are counted. */
  private static final class Scene implements AutoCloseable {
    private static final NodeId NODE = new NodeId("node", new UUID(0, 1));

    final DeadLetters watched;
    private final DataSource source;
    private final JdbcDatabase database;
    private final JdbcOutboxStore relay;
    private final JdbcLeaseStore leases;
    private final List<Lease> held;
    private Runnable between = () -> {};
    private int left;

    Scene(DataSource source) {
      this.source = source;
      JdbcConfig config = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
      this.database = JdbcDatabase.open(PatientDatabase.of(source), config);
      this.relay = database.store();
      this.leases = database.leases();
      leases.prepare(PARTITIONS);
      leases.heartbeat(NODE, true, LONG);
      this.held = leases.acquire(NODE, List.of(DEAD, LATE), Duration.ZERO);
      this.watched =
          JdbcDatabase.open(
                  new ConnectionSource(() -> Counted.of(source.getConnection(), this::executes)),
                  config)
              .store()
              .deadLetters();
    }

    private void executes(String statement) {
      if (statement.contains("outbox") && --left == 0) {
        between.run();
      }
    }

    /** Does something in another transaction before the n-th statement from now on. */
    void before(int statement, Runnable what) {
      left = statement;
      between = what;
    }

    /** False if there were fewer statements than that. */
    boolean hasBuried() {
      return left <= 0;
    }

    /** One to be dead, one to be buried late, and one of the same key as the late one. */
    List<StoredMessage> write() throws SQLException {
      List<NewMessage> messages = List.of(message(DEAD), message(LATE), message(LATE));
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> rows = StoredRows.write(database, connection, messages);
        connection.commit();
        return rows;
      }
    }

    private static NewMessage message(int partition) {
      return new NewMessage(
          new MessageId(UUID.randomUUID()),
          partition,
          Message.of("kafka:orders", new byte[] {1}).key("key-" + partition));
    }

    void bury(StoredMessage row, boolean blocksKey) {
      relay.bury(lease(row.position()), List.of(DeadEntry.of(row, 1, "no hope", blocksKey)));
    }

    private Lease lease(Position position) {
      return held.get(position.partition() == held.get(0).partition() ? 0 : 1);
    }

    /** Buries the late one; if it blocks its key, the next one of the key is parked behind it. */
    void buryBeforeOther(List<StoredMessage> rows, boolean blocksKey) {
      bury(rows.get(1), blocksKey);
      if (blocksKey) {
        StoredMessage next = rows.get(2);
        relay.park(List.of(lease(next.position())), List.of(ParkedEntry.follower(next)));
      }
    }

    /** How many messages are anywhere. */
    long messages() {
      return EmptyDatabase.number(
          source,
          """
          SELECT (SELECT COUNT(*) FROM outbox) + (SELECT COUNT(*) FROM outbox_parked)
            + (SELECT COUNT(*) FROM outbox_dead)
          """);
    }

    /** How many keys have parked messages, no head, and no dead letter that blocks them. */
    long stuck() {
      return EmptyDatabase.number(
          source,
          """
          SELECT COUNT(*)
          FROM outbox_parked AS p
          WHERE NOT EXISTS (
              SELECT 1 FROM outbox_parked AS h
              WHERE h.partition_no = p.partition_no AND h.key_hash = p.key_hash AND h.head = TRUE)
            AND NOT EXISTS (
              SELECT 1 FROM outbox_dead AS d
              WHERE d.partition_no = p.partition_no AND d.key_hash = p.key_hash
                AND d.blocks_key = TRUE)
          """);
    }

    void empty() {
      EmptyDatabase.execute(
          source, "DELETE FROM outbox", "DELETE FROM outbox_parked", "DELETE FROM outbox_dead");
    }

    @Override
    public void close() {
      relay.close();
      leases.close();
    }
  }
}
