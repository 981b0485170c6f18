package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The clock of the database jumps while two relays share the work: nothing lost, in order. */
final class RelayClockJumpTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TTL = Duration.ofSeconds(3);
  private static final int PART = 400;
  private static final int JUMPS = 3;
  private static final int TRIES = 10;
  private static final int LIMIT_SECONDS = 60;

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Jumps {
    OnPostgres() {
      super(SharedServers.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Jumps {
    OnMariaDb() {
      super(SharedServers.mariaDb());
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class OnMySql extends Jumps {
    OnMySql() {
      super(SharedServers.mySql());
    }
  }

  /** The same on every server. */
  abstract static class Jumps {
    private final RelayScene scene = new RelayScene();
    private final JumpingClock clock;
    private final JdbcDatabase database;
    private final NumberedMessages messages;
    private final Semaphore leasesGone = new Semaphore(0);

    Jumps(DatabaseServer server) {
      clock = new JumpingClock(server);
      database =
          JdbcDatabase.open(clock.dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      messages = new NumberedMessages("fake:orders", database);
    }

    /** All leases end at once, though their nodes live and go on sending. */
    @Test
    void jumpsForwardDisorderNothingAndMakeDueWhatIsDelayedOrParked() throws InterruptedException {
      NumberedMessages delayed = new NumberedMessages("fake:delayed", database);
      delayed.write(PART, message -> message.notBefore(TimeSource.SYSTEM.instant().plus(HOUR)));
      messages.write(PART);
      scene.failWhile(RelayScene.onceEvery(5));

      withTwoRelays(
          () -> {
            for (int i = 0; i < JUMPS; i++) {
              scene.awaitArrivals(PART / 2);
              jumpUntilAPartitionIsTakenFromALiveNode();
              messages.write(PART);
              scene.awaitArrivals(PART / 2);
            }
            scene.awaitArrivals(2 * PART);
          });

      messages.assertArrived(scene.broker);
      delayed.assertArrived(scene.broker);
    }

    /** Once is enough unless both heartbeats come at the same moment. */
    private void jumpUntilAPartitionIsTakenFromALiveNode() throws InterruptedException {
      leasesGone.drainPermits();
      for (int i = 0; i < TRIES; i++) {
        clock.jump(HOUR);
        if (leasesGone.tryAcquire(TTL.toSeconds(), TimeUnit.SECONDS)) {
          return;
        }
      }
      throw new AssertionError("no partition was taken from a live node in " + TRIES + " jumps");
    }

    @Test
    void jumpBackHoldsUpOnlyTheKeysParkedThenUntilTheClockHasCaughtUp()
        throws InterruptedException {
      jumpBackWithParkedMessages(() -> clock.jump(HOUR));
    }

    @Test
    void parkedMessagesThatAJumpBackHoldsUpGoOnWhenToldTo() throws InterruptedException {
      jumpBackWithParkedMessages(
          () ->
              EmptyDatabase.execute(
                  clock.dataSource, "UPDATE outbox_parked SET due_at = '2000-01-01' WHERE head"));
    }

    private void jumpBackWithParkedMessages(Runnable remedy) throws InterruptedException {
      Set<String> poisoned = Set.of("k1", "k2", "k3", "k4", "k5");
      scene.failWhile(row -> row.isKeyed() && poisoned.contains(row.message().key()));
      messages.write(PART);
      int others = PART * 3 / 4;

      withTwoRelays(
          () -> {
            scene.awaitArrivals(others);
            clock.jump(HOUR.negated());
            scene.failWhile(row -> false);
            messages.write(PART);
            scene.awaitArrivals(others);
            remedy.run();
            scene.awaitArrivals(2 * (PART - others));
          });

      messages.assertArrived(scene.broker);
    }

    @Test
    void shareOfANodeThatDiedBeforeAJumpBackIsTakenOver() throws InterruptedException {
      messages.write(PART);
      try (JdbcLeaseStore leases = database.leases()) {
        leases.prepare(Partitioning.DEFAULTS);
        NodeId dead = new NodeId("dead", new UUID(0, 1));
        leases.heartbeat(dead, true, TTL);
        leases.acquire(dead, List.of(0, 1, 2, 3), Duration.ZERO);
      }
      clock.jump(HOUR.negated());

      withTwoRelays(() -> scene.awaitArrivals(PART));

      messages.assertArrived(scene.broker);
    }

    private interface Steps {
      void run() throws InterruptedException;
    }

    private void withTwoRelays(Steps steps) throws InterruptedException {
      try (JdbcOutboxStore storeA = database.store();
          JdbcLeaseStore leasesA = database.leases();
          JdbcOutboxStore storeB = database.store();
          JdbcLeaseStore leasesB = database.leases();
          Relay a = scene.relay("a", TTL, storeA, leasesA, leaseWatch());
          Relay b = scene.relay("b", TTL, storeB, leasesB, leaseWatch())) {
        a.start();
        b.start();
        steps.run();
        awaitNothingLeft();
      }
    }

    private RelayListener leaseWatch() {
      return new RelayListener() {
        @Override
        public void leaseGone(int partition) {
          leasesGone.release();
        }
      };
    }

    /**
     * By relays that run: who has lost a lease may not settle what it sent of the parked messages,
     * and the next owner sends them once more.
     */
    private void awaitNothingLeft() {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      for (String table : List.of("outbox_delayed", "outbox", "outbox_parked")) {
        long left = left(table);
        while (left > 0) {
          assertThat(System.nanoTime()).as("%d left in %s", left, table).isLessThan(deadline);
          left = left(table);
          LockSupport.parkNanos(10_000_000);
        }
      }
    }

    private long left(String table) {
      return EmptyDatabase.number(clock.dataSource, "SELECT COUNT(*) FROM " + table);
    }
  }
}
