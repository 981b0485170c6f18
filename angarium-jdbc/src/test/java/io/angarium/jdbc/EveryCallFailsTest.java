package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.FaultyConnections.Fault;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.DeadEntry;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceRange;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call to the database fails once, in everything that a relay, an inbox and half messages do:
 * the first call, then the second and so on, until nothing is left to fail. Done again after it,
 * everything is as if nothing had failed, and no connection is left behind.
 */
@OnOneJdk
final class EveryCallFailsTest {
  @Nested
  final class OnH2 extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.h2InMemory();
    }
  }

  @Nested
  @Thorough
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.postgres();
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.mariaDb();
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class OnMySql extends OnDatabase {
    @Override
    DataSource create() {
      return EmptyDatabase.mySql();
    }
  }

  /** Something that is done with the database until it succeeds, and how it must be then. */
  interface Operation {
    /** Prepares it with connections that work. */
    Job on(Scene scene);
  }

  /**
   * One time.
   *
   * @param work may be done again; closes nothing
   * @param check after it has succeeded
   */
  record Job(Runnable work, Runnable check) {}

  abstract static class OnDatabase {
    private Scene scene;

    abstract DataSource create();

    @BeforeEach
    void open() {
      scene = new Scene(create());
    }

    @AfterEach
    void close() {
      scene.close();
    }

    static Stream<String> operations() {
      return Operations.ALL.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void doneAgainIsAsIfNothingHadFailed(String name) {
      for (Fault fault : Fault.values()) {
        int n = 1;
        while (failAt(name, fault, n)) {
          n++;
        }
        assertThat(n > 1 || fault == Fault.VICTIM).as("%s asks the database", name).isTrue();
      }
    }

    private boolean failAt(String name, Fault fault, int n) {
      scene.begin();
      Job job = Operations.ALL.get(name).on(scene);
      scene.faulty.arm(fault, n);
      @Nullable RuntimeException failure = null;
      try {
        job.work().run();
      } catch (RuntimeException e) {
        failure = e;
      }
      String struck = scene.faulty.disarm();
      try {
        if (failure != null) {
          assertThat(failure)
              .isInstanceOfAny(StoreException.class, ConcurrentDeliveryException.class)
              .isNotInstanceOf(WriteRefusedException.class);
          job.work().run();
        }
        job.check().run();
        scene.end();
        assertThat(scene.faulty.open()).as("connections left behind").isZero();
      } catch (RuntimeException | AssertionError e) {
        String told = "%s: call %d, %s, failed %s it was done".formatted(name, n, struck, fault);
        AssertionError error = new AssertionError(told + ": " + e.getMessage(), e);
        if (failure != null) {
          error.addSuppressed(failure);
        }
        throw error;
      }
      return struck != null;
    }
  }

  /** A database, seen by connections that fail and by others. Not thread-safe. */
  static final class Scene implements AutoCloseable {
    static final Partitioning PARTITIONS = new Partitioning(1, 1);
    static final int PARTITION = 0;
    static final NodeId NODE = new NodeId("node", new UUID(0, 1));
    static final NodeId OTHER = new NodeId("other", new UUID(0, 2));
    static final Duration TTL = Duration.ofMinutes(1);
    static final ReadLimit LIMIT = ReadLimit.rows(100);
    static final List<SequenceRange> ALL = List.of(SequenceRange.after(PARTITION, 0));

    final FaultyConnections faulty;
    final JdbcDatabase database;
    final JdbcInbox inbox;
    final JdbcOutboxStore seen;
    private final DataSource source;
    private final JdbcDatabase well;
    private final JdbcLeaseStore wellLeases;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private long last;

    Scene(DataSource source) {
      this.source = source;
      faulty = new FaultyConnections(source);
      well = JdbcDatabase.open(source, EmptyDatabase.WITH_ALL_TABLES);
      seen = well.store();
      wellLeases = well.leases();
      wellLeases.prepare(PARTITIONS);
      database = JdbcDatabase.open(faulty.dataSource(), JdbcConfig.DEFAULTS);
      inbox =
          JdbcInbox.open(faulty.dataSource(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    void begin() {
      EmptyDatabase.execute(
          source,
          "DELETE FROM outbox",
          "DELETE FROM outbox_parked",
          "DELETE FROM outbox_delayed",
          "DELETE FROM outbox_dead");
      wellLeases.leave(NODE);
      wellLeases.leave(OTHER);
    }

    /** With sessions of its own, which its first call opens. */
    JdbcOutboxStore store() {
      return opened(database.store());
    }

    JdbcLeaseStore leases() {
      return opened(database.leases());
    }

    JdbcHalfMessages half() {
      return opened(database.halfMessages(MessageIntake.of(null), Handover.NONE));
    }

    private <T extends AutoCloseable> T opened(T one) {
      opened.add(one);
      return one;
    }

    void end() {
      for (AutoCloseable one : opened) {
        try {
          one.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
      opened.clear();
    }

    Lease lease() {
      wellLeases.heartbeat(NODE, true, TTL);
      return wellLeases.acquire(NODE, List.of(PARTITION), Duration.ZERO).get(0);
    }

    boolean isFree() {
      wellLeases.heartbeat(OTHER, true, TTL);
      return !wellLeases.acquire(OTHER, List.of(PARTITION), Duration.ZERO).isEmpty();
    }

    List<StoredMessage> commit(String... keys) {
      List<Message> messages = new ArrayList<>();
      for (String key : keys) {
        messages.add(message(key));
      }
      return commit(messages);
    }

    static Message message(String key) {
      return Message.of(Destination.parse("fake:orders"), "x".getBytes(UTF_8)).key(key);
    }

    List<StoredMessage> commit(List<Message> messages) {
      List<NewMessage> written = new ArrayList<>();
      for (Message message : messages) {
        MessageId id = new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | ++last));
        written.add(new NewMessage(id, PARTITION, message));
      }
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        well.writer().write(connection, written);
        connection.commit();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return unsent();
    }

    List<StoredMessage> unsent() {
      return seen.read(ALL, LIMIT).rows();
    }

    /** The time of all delayed messages has come long ago. */
    void makeDue() {
      assertThat(number("SELECT COUNT(*) FROM outbox_delayed")).isPositive();
      EmptyDatabase.execute(source, "UPDATE outbox_delayed SET due_at = '2026-01-01 00:00:00'");
    }

    List<StoredMessage> parked(StoredMessage of) {
      return seen.parkedOfKey(PARTITION, of.keyHash(), LIMIT);
    }

    void park(Lease lease, List<StoredMessage> rows) {
      seen.park(List.of(lease), parkings(rows));
    }

    static List<ParkedEntry> parkings(List<StoredMessage> rows) {
      List<ParkedEntry> parkings = new ArrayList<>();
      parkings.add(ParkedEntry.head(rows.get(0), 1, Duration.ZERO, "down"));
      rows.stream().skip(1).forEach(row -> parkings.add(ParkedEntry.follower(row)));
      return parkings;
    }

    long number(String sql) {
      return EmptyDatabase.number(source, sql);
    }

    @Override
    public void close() {
      end();
      seen.close();
      wellLeases.close();
    }
  }

  /** All of them by name. */
  static final class Operations {
    private Operations() {}

    static final Map<String, Operation> ALL =
        Map.ofEntries(
            Map.entry("read", Operations::read),
            Map.entry("read again", Operations::readAt),
            Map.entry("late read", Operations::lateRead),
            Map.entry("look", Operations::look),
            Map.entry("delete", Operations::delete),
            Map.entry("exact delete", Operations::exactDelete),
            Map.entry("park", Operations::park),
            Map.entry("settle", Operations::settle),
            Map.entry("settle a failure", Operations::settleFailure),
            Map.entry("bury", Operations::bury),
            Map.entry("bury a parked one", Operations::buryParked),
            Map.entry("enqueue delayed", Operations::enqueueDelayed),
            Map.entry("take over", Operations::takeOver),
            Map.entry("release", Operations::release),
            Map.entry("leave", Operations::leave),
            Map.entry("close", Operations::close),
            Map.entry("prepare a half message", Operations::prepareHalf),
            Map.entry("commit a half message", Operations::commitHalf),
            Map.entry("roll a half message back", Operations::rollBackHalf),
            Map.entry("process", Operations::process));

    /** What a call gave last. */
    private static final class Given<T> {
      private @Nullable T value;

      void is(T given) {
        value = given;
      }

      T get() {
        assertThat(value).isNotNull();
        return value;
      }
    }

    private static List<MessageId> ids(List<StoredMessage> rows) {
      return rows.stream().map(StoredMessage::id).toList();
    }

    static Job read(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b");
      OutboxStore store = scene.store();
      Given<List<StoredMessage>> given = new Given<>();
      return new Job(
          () -> given.is(store.read(Scene.ALL, Scene.LIMIT).rows()),
          () -> assertThat(ids(given.get())).isEqualTo(ids(rows)));
    }

    static Job readAt(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b");
      OutboxStore store = scene.store();
      List<Position> positions = rows.stream().map(StoredMessage::position).toList();
      Given<List<StoredMessage>> given = new Given<>();
      return new Job(
          () -> given.is(store.readAt(positions, Scene.LIMIT).rows()),
          () -> assertThat(ids(given.get())).isEqualTo(ids(rows)));
    }

    static Job lateRead(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b");
      OutboxStore store = scene.store();
      Given<List<StoredMessage>> given = new Given<>();
      return new Job(
          () -> given.is(store.readLate(Scene.ALL, null, Scene.LIMIT).rows()),
          () -> assertThat(ids(given.get())).containsAll(ids(rows)));
    }

    static Job look(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "a", "b");
      scene.park(scene.lease(), rows.subList(0, 2));
      OutboxStore store = scene.store();
      Given<Set<Long>> blocked = new Given<>();
      Given<List<StoredMessage>> due = new Given<>();
      Given<List<StoredMessage>> parked = new Given<>();
      Given<Long> waiting = new Given<>();
      Set<Integer> all = Set.of(Scene.PARTITION);
      long hash = rows.get(0).keyHash();
      return new Job(
          () -> {
            store.glance(all);
            store.settled(store.mark());
            blocked.is(store.blockedKeys(all).getOrDefault(Scene.PARTITION, Set.of()));
            due.is(store.dueHeads(all, List.of(), Scene.LIMIT).rows());
            parked.is(store.parkedOfKey(Scene.PARTITION, hash, Scene.LIMIT));
            waiting.is(store.lastSequence());
            store.backlog();
          },
          () -> {
            assertThat(blocked.get()).containsExactly(hash);
            assertThat(ids(due.get())).containsExactly(rows.get(0).id());
            assertThat(ids(parked.get())).isEqualTo(ids(rows.subList(0, 2)));
            assertThat(waiting.get()).isGreaterThanOrEqualTo(rows.get(2).position().sequence());
          });
    }

    static Job delete(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b", "c");
      OutboxStore store = scene.store();
      List<Position> sent = rows.subList(0, 2).stream().map(StoredMessage::position).toList();
      return new Job(
          () -> store.delete(sent),
          () -> assertThat(ids(scene.unsent())).isEqualTo(ids(rows.subList(2, 3))));
    }

    static Job exactDelete(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b");
      OutboxStore store = scene.store();
      SentMessage sent = new SentMessage(rows.get(0).position(), rows.get(0).id());
      SentMessage other = new SentMessage(rows.get(1).position(), rows.get(0).id());
      Given<Set<Position>> given = new Given<>();
      return new Job(
          () -> given.is(store.deleteExact(List.of(sent, other))),
          () -> {
            assertThat(given.get()).containsExactly(other.position());
            assertThat(ids(scene.unsent())).isEqualTo(ids(rows.subList(1, 2)));
          });
    }

    static Job park(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "a");
      Lease lease = scene.lease();
      OutboxStore store = scene.store();
      return new Job(
          () -> store.park(List.of(lease), Scene.parkings(rows)),
          () -> {
            assertThat(scene.unsent()).isEmpty();
            assertThat(ids(scene.parked(rows.get(0)))).isEqualTo(ids(rows));
            assertThat(scene.number("SELECT COUNT(*) FROM outbox_parked")).isEqualTo(2);
          });
    }

    static Job settle(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "a");
      Lease lease = scene.lease();
      scene.park(lease, rows);
      OutboxStore store = scene.store();
      Given<Set<Long>> left = new Given<>();
      List<Position> acknowledged = List.of(rows.get(0).position());
      ParkedOutcome settlement =
          new ParkedOutcome(lease, rows.get(0).keyHash(), acknowledged, List.of());
      return new Job(
          () -> left.is(store.settleParked(List.of(settlement))),
          () -> {
            assertThat(left.get()).containsExactly(rows.get(0).keyHash());
            assertThat(ids(scene.parked(rows.get(0)))).isEqualTo(ids(rows.subList(1, 2)));
            assertThat(ids(due(scene))).containsExactly(rows.get(1).id());
          });
    }

    static Job settleFailure(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "a");
      Lease lease = scene.lease();
      scene.park(lease, rows);
      OutboxStore store = scene.store();
      ParkedEntry failed = ParkedEntry.head(rows.get(0), 2, Duration.ZERO, "down again");
      ParkedOutcome settlement =
          new ParkedOutcome(lease, rows.get(0).keyHash(), List.of(), List.of(failed));
      return new Job(
          () -> store.settleParked(List.of(settlement)),
          () -> {
            assertThat(ids(scene.parked(rows.get(0)))).isEqualTo(ids(rows));
            assertThat(due(scene)).extracting(StoredMessage::attempts).containsExactly(2);
          });
    }

    private static List<StoredMessage> due(Scene scene) {
      return scene.seen.dueHeads(Set.of(Scene.PARTITION), List.of(), Scene.LIMIT).rows();
    }

    static Job bury(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "b");
      return bury(scene, scene.lease(), rows.get(0), rows.subList(1, 2));
    }

    static Job buryParked(Scene scene) {
      List<StoredMessage> rows = scene.commit("a", "a");
      Lease lease = scene.lease();
      scene.park(lease, rows);
      Job job = bury(scene, lease, rows.get(0), List.of());
      return new Job(
          job.work(),
          () -> {
            job.check().run();
            assertThat(ids(due(scene))).containsExactly(rows.get(1).id());
          });
    }

    private static Job bury(
        Scene scene, Lease lease, StoredMessage row, List<StoredMessage> unsent) {
      OutboxStore store = scene.store();
      return new Job(
          () -> store.bury(lease, List.of(DeadEntry.of(row, 3, "no hope", false))),
          () -> {
            assertThat(ids(scene.unsent())).isEqualTo(ids(unsent));
            assertThat(scene.seen.deadLetters().page(null, null, 10))
                .extracting(dead -> dead.message().id())
                .containsExactly(row.id());
          });
    }

    static Job enqueueDelayed(Scene scene) {
      Lease lease = scene.lease();
      Instant later = Instant.now().plusSeconds(3600);
      scene.commit(
          List.of(Scene.message("a").notBefore(later), Scene.message("b").notBefore(later)));
      scene.makeDue();
      OutboxStore store = scene.store();
      return new Job(
          () -> store.enqueueDue(List.of(lease), 10),
          () -> {
            assertThat(scene.unsent()).hasSize(2);
            assertThat(scene.number("SELECT COUNT(*) FROM outbox_delayed")).isZero();
          });
    }

    static Job takeOver(Scene scene) {
      JdbcLeaseStore leases = scene.leases();
      Given<List<Lease>> given = new Given<>();
      return new Job(
          () -> {
            leases.heartbeat(Scene.NODE, true, Scene.TTL);
            given.is(leases.acquire(Scene.NODE, List.of(Scene.PARTITION), Duration.ZERO));
          },
          () -> {
            assertThat(scene.seen.held(given.get())).containsExactly(Scene.PARTITION);
            assertThat(scene.isFree()).isFalse();
          });
    }

    static Job release(Scene scene) {
      Lease lease = scene.lease();
      JdbcLeaseStore leases = scene.leases();
      return new Job(
          () -> leases.release(List.of(lease)), () -> assertThat(scene.isFree()).isTrue());
    }

    static Job leave(Scene scene) {
      scene.lease();
      JdbcLeaseStore leases = scene.leases();
      return new Job(() -> leases.leave(Scene.NODE), () -> assertThat(scene.isFree()).isTrue());
    }

    static Job close(Scene scene) {
      Lease lease = scene.lease();
      JdbcOutboxStore store = scene.store();
      store.read(Scene.ALL, Scene.LIMIT);
      store.delete(List.of());
      store.park(List.of(lease), List.of());
      store.glance(List.of(Scene.PARTITION));
      boolean[] closed = {false};
      return new Job(
          () -> {
            store.close();
            closed[0] = true;
          },
          () -> {
            assertThat(closed[0]).isTrue();
            assertThat(scene.faulty.open()).isZero();
          });
    }

    static Job prepareHalf(Scene scene) {
      HalfKey key = new HalfKey("order", UUID.randomUUID().toString());
      JdbcHalfMessages half = scene.half();
      Given<HalfState> given = new Given<>();
      return new Job(
          () -> given.is(half.prepare(HalfMessage.of(key, Scene.message("a")))),
          () -> {
            assertThat(given.get()).isEqualTo(HalfState.PREPARED);
            assertThat(half.state(key)).isEqualTo(HalfState.PREPARED);
            assertThat(scene.number("SELECT COUNT(*) FROM outbox")).isZero();
          });
    }

    static Job commitHalf(Scene scene) {
      HalfKey key = new HalfKey("order", UUID.randomUUID().toString());
      scene.half().prepare(HalfMessage.of(key, Scene.message("a")));
      JdbcHalfMessages half = scene.half();
      return new Job(
          () -> half.commit(key),
          () -> {
            assertThat(half.state(key)).isEqualTo(HalfState.COMMITTED);
            assertThat(scene.number("SELECT COUNT(*) FROM outbox")).isEqualTo(1);
          });
    }

    static Job rollBackHalf(Scene scene) {
      HalfKey key = new HalfKey("order", UUID.randomUUID().toString());
      scene.half().prepare(HalfMessage.of(key, Scene.message("a")));
      JdbcHalfMessages half = scene.half();
      return new Job(
          () -> half.rollback(key),
          () -> {
            assertThat(half.state(key)).isEqualTo(HalfState.ROLLED_BACK);
            assertThat(scene.number("SELECT COUNT(*) FROM outbox")).isZero();
          });
    }

    static Job process(Scene scene) {
      InboxKey key = InboxKey.of("stock", UUID.randomUUID().toString());
      EmptyDatabase.execute(
          scene.source, "DROP TABLE IF EXISTS booked", "CREATE TABLE booked (n INTEGER)");
      return new Job(
          () -> {
            try {
              scene.inbox.process(
                  key, connection -> Sql.of("INSERT INTO booked VALUES (1)").run(connection));
            } catch (SQLException e) {
              throw new StoreException("the work failed", e);
            }
          },
          () -> assertThat(scene.number("SELECT COUNT(*) FROM booked")).isEqualTo(1));
    }
  }
}
