package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.ConfirmationWatch;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.reconciliation.JdbcTaskProgress;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.reconciliation.ReconciliationTask;
import io.angarium.reconciliation.Window;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A database that takes bytes and says nothing: what is closed ends within its time-out. */
final class SilentDatabaseTest {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** Of the 30 s that a statement may take nothing is waited for. */
  private static final Duration LONG_BEFORE_A_STATEMENT_ENDS = Duration.ofSeconds(20);

  /** What every server is held to. */
  interface Contract {
    DatabaseServer server();

    @Test
    default void closeEndsWithinItsTimeout() throws Exception {
      try (FaultProxy proxy = FaultProxy.to(server().host(), server().port())) {
        TestDatabase proxied = server().freshDatabase().through(proxy);
        JdbcDatabase database =
            JdbcDatabase.open(
                new ConnectionSource(proxied::connect), EmptyDatabase.WITH_ALL_TABLES);
        JdbcInbox inbox =
            JdbcInbox.open(
                new ConnectionSource(proxied::connect),
                InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
        JdbcOutboxStore store = database.store();
        JdbcLeaseStore leases = database.leases();
        JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);
        JdbcCheckStore checks = database.checkStore();
        Relay relay = relay(store, leases);
        relay.start();
        half.prepare(HalfMessage.of(new HalfKey("order", "1"), message()));
        checks.last();
        assertThat(store.backlog()).isNotNull();

        proxy.blackhole();
        AtomicReference<Throwable> ofReader = new AtomicReference<>();
        Thread reader = hung(store::backlog, ofReader);
        RetentionRounds retention =
            RetentionRounds.start(
                database.retention(), RetentionConfig.DEFAULTS.interval(Duration.ofSeconds(1)));
        InboxRotation rotation = InboxRotation.start(inbox, Duration.ofMillis(10));
        long startNanos = System.nanoTime();
        relay.close();
        closeTogether(store, leases, half, checks, retention, rotation);
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);

        assertThat(took).isLessThan(LONG_BEFORE_A_STATEMENT_ENDS);
        assertThatThrownBy(store::lastSequence).isInstanceOf(StoreException.class);
        proxy.cutAll();
        reader.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(ofReader.get()).isInstanceOf(StoreException.class);
      }
    }

    @Test
    default void everyLoopSaysWhyItStandsStillAndCloses() throws Exception {
      // The proxy ends before the pool, whose end would wait for an answer.
      try (HikariDataSource pool = new HikariDataSource();
          FaultProxy proxy = FaultProxy.to(server().host(), server().port())) {
        TestDatabase proxied = server().freshDatabase().through(proxy);
        pool.setJdbcUrl(proxied.url());
        pool.setUsername(proxied.user());
        pool.setPassword(proxied.password());
        pool.setConnectionTimeout(1_000);
        JdbcDatabase database =
            JdbcDatabase.open(
                pool, EmptyDatabase.WITH_ALL_TABLES.statementTimeout(Duration.ofSeconds(1)));
        JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);
        JdbcCheckStore checks = database.checkStore();
        JdbcConfirmations confirmations = database.confirmations();
        JdbcTaskProgress progress = database.taskProgress();
        CheckBackLoop checkBack = CheckBackLoop.builder(half, checks).build();
        checks.last();
        ReconciledSide side =
            new ReconciledSide() {
              @Override
              public String name() {
                return "orders";
              }

              @Override
              public void keys(Window window, Consumer<String> each) {}
            };
        proxy.blackhole();
        checkBack.start();
        ConfirmationWatch watch =
            ConfirmationWatch.start(
                confirmations, ConfirmationConfig.NONE.interval(Duration.ofMillis(10)));
        RetentionRounds retention =
            RetentionRounds.start(
                database.retention(), RetentionConfig.DEFAULTS.interval(Duration.ofSeconds(1)));
        ReconciliationTask task =
            ReconciliationTask.start(
                new Reconciliation(side, side),
                ReconciliationConfig.of("orders").interval(Duration.ofMillis(10)),
                progress,
                report -> {});

        says("The check-back of half messages", checkBack::fault);
        says("The search for overdue confirmations", watch::fault);
        says("The deletion of what is old", retention::fault);
        says("The reconciliation of orders", task::fault);
        long startNanos = System.nanoTime();
        closeTogether(checkBack, watch, retention, task, half, checks);
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
            .isLessThan(LONG_BEFORE_A_STATEMENT_ENDS);
        proxy.cutAll();
      }
    }

    /** Waits for a fault. */
    private static void says(String what, Supplier<Optional<String>> fault) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (fault.get().isEmpty()) {
        assertThat(System.nanoTime()).as(what).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      assertThat(fault.get().orElseThrow()).startsWith(what).contains(" fails: ", "Failed");
    }

    private static Relay relay(JdbcOutboxStore store, JdbcLeaseStore leases) {
      RelayConfig standard = RelayConfig.defaults("node");
      return Relay.builder(store, leases)
          .config(
              new RelayConfig(
                  "node",
                  standard.partitioning(),
                  standard.leasing(),
                  standard.polling(),
                  standard.window(),
                  CLOSE_TIMEOUT))
          .transport(FakeTransport.pipelined())
          .build();
    }

    private static Message message() {
      return Message.of("fake:orders", "m".getBytes(UTF_8)).key("k");
    }

    /** Each takes some seconds. */
    private static void closeTogether(AutoCloseable... all) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(all.length);
      try {
        List<Callable<Object>> closes = new ArrayList<>();
        for (AutoCloseable one : all) {
          closes.add(
              () -> {
                one.close();
                return one;
              });
        }
        for (Future<Object> closed : threads.invokeAll(closes)) {
          closed.get();
        }
      } finally {
        threads.shutdownNow();
      }
    }

    private static Thread hung(Runnable work, AtomicReference<Throwable> failure)
        throws InterruptedException {
      CountDownLatch begun = new CountDownLatch(1);
      Thread thread =
          new Thread(
              () -> {
                begun.countDown();
                try {
                  work.run();
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              });
      thread.start();
      begun.await();
      return thread;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Contract {
    @Override
    public DatabaseServer server() {
      return SharedServers.postgres();
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements Contract {
    @Override
    public DatabaseServer server() {
      return SharedServers.mariaDb();
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OneSession {
    @Test
    void sessionInUseIsEndedFromOutside() throws Exception {
      DatabaseServer server = SharedServers.postgres();
      try (FaultProxy proxy = FaultProxy.to(server.host(), server.port())) {
        TestDatabase proxied = server.freshDatabase().through(proxy);
        JdbcDatabase database =
            JdbcDatabase.open(
                new ConnectionSource(proxied::connect),
                EmptyDatabase.WITH_ALL_TABLES.leaseTimeout(Duration.ofMinutes(1)));
        JdbcLeaseStore leases = database.leases();
        NodeId node = new NodeId("node", UUID.randomUUID());
        leases.heartbeat(node, true, Duration.ofMinutes(1));
        proxy.blackhole();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread beat =
            Contract.hung(() -> leases.heartbeat(node, true, Duration.ofMinutes(1)), failure);

        leases.close();

        beat.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(beat.isAlive()).isFalse();
        assertThat(failure.get()).isInstanceOf(StoreException.class);
      }
    }
  }
}
