package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Producers and relays at the same rows: every deadlock is an error of some call, and fails. */
interface MySqlConcurrency {
  int PRODUCERS = 8;
  int TRANSACTIONS = 150;
  int MESSAGES = 5;
  Partitioning PARTITIONING = new Partitioning(8, 2);

  DataSource database();

  @Test
  default void producersDeletingRelaysAndLeaseMovesDoNotDeadlock() throws Exception {
    try (MySqlScene scene = new MySqlScene(PatientDatabase.of(database()))) {
      ExecutorService threads = Executors.newCachedThreadPool();
      AtomicInteger producing = new AtomicInteger(PRODUCERS);
      AtomicInteger committed = new AtomicInteger();
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        long seed = i;
        all.add(threads.submit(() -> produce(scene, new Random(seed), producing, committed)));
      }
      List<Callable<Integer>> relays =
          List.of(
              () -> relay(scene, "node-a", new Random(10), producing),
              () -> relay(scene, "node-b", new Random(11), producing));
      relays.forEach(relay -> all.add(threads.submit(relay)));

      int moved = 0;
      for (Future<Integer> end : all) {
        moved += end.get(5, TimeUnit.MINUTES);
      }
      threads.shutdown();

      assertThat(committed.get()).isGreaterThan(PRODUCERS * TRANSACTIONS);
      assertThat(moved).isGreaterThanOrEqualTo(committed.get());
      assertThat(EmptyDatabase.number(scene.dataSource, "SELECT COUNT(*) FROM outbox")).isZero();
    }
  }

  /** Writes under the default isolation of the database; returns 0. */
  private static int produce(
      MySqlScene scene, Random random, AtomicInteger producing, AtomicInteger committed)
      throws Exception {
    try (Connection connection = scene.begin()) {
      for (int i = 0; i < TRANSACTIONS; i++) {
        int written = write(scene, connection, messages(i, random));
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.addAndGet(written);
        }
      }
      return 0;
    } finally {
      producing.decrementAndGet();
    }
  }

  /**
   * A key sent before is an outcome of the business: nothing is written, the transaction goes on.
   */
  private static int write(MySqlScene scene, Connection connection, List<NewMessage> messages)
      throws SQLException {
    try {
      return StoredRows.write(scene.database, connection, messages).size();
    } catch (DuplicateBusinessKeyException e) {
      return 0;
    }
  }

  private static List<NewMessage> messages(int transaction, Random random) {
    return IntStream.range(0, MESSAGES)
        .mapToObj(
            i -> {
              Message message =
                  Message.of("kafka:orders", new byte[100])
                      .key("k" + random.nextInt(50))
                      .business(business(transaction, random));
              return new NewMessage(new MessageId(UUID.randomUUID()), random.nextInt(8), message);
            })
        .toList();
  }

  /** A third is unique, of few keys that every producer sends at about the same time. */
  private static BusinessKey business(int transaction, Random random) {
    Uniqueness uniqueness =
        random.nextInt(3) > 0
            ? Uniqueness.NONE
            : random.nextInt(5) == 0 ? Uniqueness.REFUSE : Uniqueness.IGNORE;
    return new BusinessKey("order", "o" + (transaction + random.nextInt(4)), uniqueness);
  }

  /** Takes over what it can, parks some and deletes the rest; returns how many it moved. */
  private static int relay(MySqlScene scene, String name, Random random, AtomicInteger producing) {
    NodeId node = new NodeId(name, UUID.randomUUID());
    int moved = 0;
    try (JdbcOutboxStore store = scene.database.store();
        JdbcLeaseStore leases = scene.database.leases()) {
      leases.prepare(PARTITIONING);
      boolean more = true;
      while (more) {
        boolean last = producing.get() == 0;
        leases.heartbeat(node, true, Duration.ofSeconds(30));
        List<Integer> wanted = IntStream.range(0, 8).boxed().toList();
        List<Lease> held = leases.acquire(node, wanted, Duration.ZERO);
        List<StoredMessage> rows =
            store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(50)).rows();
        moved += move(store, held, rows, random);
        leases.release(held);
        more = !last || !rows.isEmpty();
      }
      leases.leave(node);
    }
    return moved;
  }

  /** Both relays read everything, so both delete the same rows. */
  private static int move(
      JdbcOutboxStore store, List<Lease> held, List<StoredMessage> rows, Random random) {
    for (Lease lease : held) {
      List<ParkedEntry> parkings =
          rows.stream()
              .filter(row -> row.position().partition() == lease.partition())
              .filter(row -> random.nextInt(10) == 0)
              .map(ParkedEntry::follower)
              .toList();
      store.park(List.of(lease), parkings);
    }
    store.delete(rows.stream().map(StoredMessage::position).toList());
    return rows.size();
  }
}
