package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.reconciliation.JdbcTaskProgress;
import io.angarium.jdbc.reconciliation.QueriedKeys;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.reconciliation.ReconciliationTask;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.TaskProgress.Turn;
import io.angarium.reconciliation.Window;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What was produced is compared with what was consumed, on every database. */
final class ReconciledMessagesTest {
  private static final String ORDERS = "kafka:orders";
  private static final JdbcConfig KEEPING = EmptyDatabase.WITH_ALL_TABLES.history(true);
  private static final Duration LEASE = Duration.ofMinutes(1);

  @Nested
  final class OnH2 extends OnDatabase {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends OnDatabase {
    OnMariaDb() {
      super(EmptiedDatabase.mariaDb());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends OnDatabase {
    OnMySql() {
      super(EmptiedDatabase.mySql());
    }
  }

  abstract static class OnDatabase {
    private final DataSource database;
    private final JdbcDatabase opened;
    private final JdbcInbox inbox;
    private final Instant now = Instant.now();
    private final AtomicLong random = new AtomicLong();

    OnDatabase(DataSource database) {
      this.database = database;
      opened = JdbcDatabase.open(database, KEEPING);
      inbox = JdbcInbox.open(database, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    private Window lastHour() {
      return new Window(now.minus(Duration.ofHours(1)), now);
    }

    private MessageId id(Duration ago) {
      UUID lowest = ReconciliationDialect.lowest(now.minus(ago));
      long low = lowest.getLeastSignificantBits() + random.incrementAndGet();
      return new MessageId(new UUID(lowest.getMostSignificantBits(), low));
    }

    private StoredMessage write(String destination, Duration ago) throws SQLException {
      Message message = Message.of(destination, new byte[] {7}).key("k");
      try (Connection connection = database.getConnection()) {
        connection.setAutoCommit(false);
        List<StoredMessage> written =
            StoredRows.write(opened, connection, List.of(new NewMessage(id(ago), 0, message)));
        connection.commit();
        return written.get(0);
      }
    }

    private StoredMessage sent(String destination, Duration ago) throws SQLException {
      StoredMessage message = write(destination, ago);
      try (JdbcOutboxStore store = opened.store()) {
        store.delete(List.of(message.position()));
      }
      return message;
    }

    private void consumed(MessageId id) {
      inbox.process(InboxKey.of("stock", id), connection -> {});
    }

    private Report compare() {
      return new Reconciliation(opened.produced(ORDERS), inbox.consumed("stock"))
          .compare(lastHour());
    }

    @Test
    void bothSidesAgreeWhereverTheMessagesAre() throws SQLException {
      consumed(sent(ORDERS, Duration.ofMinutes(10)).id());
      consumed(write(ORDERS, Duration.ofMinutes(20)).id());
      inbox.process(InboxKey.of("mail", id(Duration.ofMinutes(1))), connection -> {});
      sent("kafka:others", Duration.ofMinutes(10));
      sent(ORDERS, Duration.ofMinutes(61));

      Report report = compare();

      assertThat(report.agrees()).as("%s", report).isTrue();
      assertThat(report.consumed().count()).isEqualTo(2);
    }

    @Test
    void missingMessagesAreNamedAndSentAgain() throws SQLException {
      StoredMessage lost = sent(ORDERS, Duration.ofMinutes(10));
      StoredMessage waiting = write(ORDERS, Duration.ofMinutes(10));
      consumed(sent(ORDERS, Duration.ofMinutes(5)).id());
      MessageId strange = id(Duration.ofMinutes(3));
      consumed(strange);

      Report report = compare();

      assertThat(report.missing())
          .containsExactlyInAnyOrder(lost.id().toString(), waiting.id().toString());
      assertThat(report.unexpected()).containsExactly(strange.toString());
      assertThat(opened.produced(ORDERS).sendAgain(report.missing(), "test")).isEqualTo(1);
      assertThat(opened.produced(ORDERS).sendAgain(report.missing(), "test")).isZero();
      assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox")).isEqualTo(2);
      assertThat(compare().missing()).hasSize(2);
    }

    @Test
    void businessTablesAreComparedByQueries() {
      EmptyDatabase.execute(
          database,
          "CREATE TABLE orders (id VARCHAR(20), paid_at TIMESTAMP NULL)",
          "CREATE TABLE movement (order_id VARCHAR(20), paid_at TIMESTAMP NULL)",
          "INSERT INTO orders VALUES ('1', CURRENT_TIMESTAMP), ('2', CURRENT_TIMESTAMP)",
          "INSERT INTO movement VALUES ('2', CURRENT_TIMESTAMP), ('2', CURRENT_TIMESTAMP)");
      Window window = new Window(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
      String query = " WHERE paid_at >= ? AND paid_at < ?";

      Report report =
          new Reconciliation(
                  new QueriedKeys("orders", database, "SELECT id FROM orders" + query),
                  new QueriedKeys("movements", database, "SELECT order_id FROM movement" + query))
              .compare(window);

      assertThat(report.missing()).containsExactly("1");
      assertThat(report.repeated()).containsExactly("2");
    }

    @Test
    void oneNodeAtATimeHasTheTurn() {
      JdbcTaskProgress progress = opened.taskProgress();
      Turn turn = progress.begin("task", LEASE);

      assertThat(turn).isNotNull();
      assertThat(turn.doneUntil()).isNull();
      assertThat(progress.begin("task", LEASE)).isNull();
      assertThat(progress.begin("another", LEASE)).isNotNull();
      Instant done = Instant.parse("2026-01-01T00:00:00.123Z");
      assertThat(progress.proceed("task", turn, done, Duration.ZERO)).isTrue();

      Turn next = progress.begin("task", LEASE);

      assertThat(next).isNotNull();
      assertThat(next.doneUntil()).isEqualTo(done);
      assertThat(progress.proceed("task", turn, Instant.EPOCH, LEASE)).isFalse();
      progress.end("task", turn);
      assertThat(progress.begin("task", LEASE)).isNull();
      progress.end("task", next);
      assertThat(progress.begin("task", LEASE)).isNotNull();
    }

    @Test
    void windowsThatAreTooOldAreLeftOut() throws Exception {
      JdbcTaskProgress progress = opened.taskProgress();
      Turn turn = Objects.requireNonNull(progress.begin("orders", LEASE));
      progress.proceed("orders", turn, now.minus(Duration.ofDays(100)), LEASE);
      progress.end("orders", turn);
      BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
      ReconciliationConfig config =
          ReconciliationConfig.of("orders")
              .window(Duration.ofMinutes(10), Duration.ZERO)
              .ageMax(Duration.ofHours(1))
              .interval(Duration.ofMillis(20));
      Reconciliation orders = new Reconciliation(opened.produced(ORDERS), inbox.consumed("stock"));

      try (ReconciliationTask task = start(orders, config, reports)) {
        assertThat(task).isNotNull();
        awaitReports(reports, 2);
      }
      assertThat(reports.element().window().from()).isAfter(now.minus(Duration.ofMinutes(61)));
    }

    /** Another node takes the turn while the first one reads. */
    @Test
    void comparisonWhoseTurnWasLostTellsNobody() throws Exception {
      JdbcTaskProgress progress = opened.taskProgress();
      CountDownLatch lost = new CountDownLatch(1);
      ReconciledSide slow =
          new ReconciledSide() {
            @Override
            public String name() {
              return "slow";
            }

            @Override
            public void keys(Window window, Consumer<String> each) {
              if (lost.getCount() > 0) {
                EmptyDatabase.execute(database, "UPDATE outbox_task SET token = token + 1");
                lost.countDown();
              }
            }
          };
      BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
      ReconciliationConfig config =
          ReconciliationConfig.of("orders")
              .window(Duration.ofMinutes(10), Duration.ZERO)
              .interval(Duration.ofMillis(20));
      Reconciliation orders = new Reconciliation(slow, inbox.consumed("stock"));

      ReconciliationTask task = ReconciliationTask.start(orders, config, progress, reports::add);
      assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
      task.close(); // ends with the look that goes on
      assertThat(reports).isEmpty();
    }

    @Test
    void twoNodesAtOnceSendAMessageAgainOnce() throws Exception {
      String id = sent(ORDERS, Duration.ofMinutes(10)).id().toString();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Callable<Integer>> nodes =
            Collections.nCopies(
                4, () -> opened.produced(ORDERS).sendAgain(List.of(id), "reconciliation"));
        int all = 0;
        for (Future<Integer> sent : threads.invokeAll(nodes)) {
          all += sent.get();
        }
        assertThat(all).isEqualTo(1);
        assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
      } finally {
        threads.shutdownNow();
      }
    }

    @Test
    void keyOfATextIsNotTakenForAMessageOfItsTime() {
      UUID inside = ReconciliationDialect.lowest(now.minus(Duration.ofMinutes(5)));
      long ofText = (inside.getMostSignificantBits() & ~0xF000L) | 0x8000L;
      inbox.process(
          new InboxKey("stock", new UUID(ofText, inside.getLeastSignificantBits())), c -> {});

      assertThat(compare().agrees()).isTrue();
    }

    @Test
    void taskComparesEveryWindowOnceAndGoesOnWhereItStopped() throws Exception {
      BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
      ReconciliationConfig config =
          ReconciliationConfig.of("orders")
              .window(Duration.ofSeconds(1), Duration.ZERO)
              .interval(Duration.ofMillis(20));
      Reconciliation orders = new Reconciliation(opened.produced(ORDERS), inbox.consumed("stock"));
      for (int restart = 0; restart < 2; restart++) {
        try (ReconciliationTask one = start(orders, config, reports);
            ReconciliationTask other = start(orders, config, reports)) {
          assertThat(one).isNotSameAs(other);
          awaitReports(reports, 2 + 2 * restart);
        }
      }
      List<Report> all = List.copyOf(reports);
      for (int i = 1; i < all.size(); i++) {
        assertThat(all.get(i).window().from()).isEqualTo(all.get(i - 1).window().to());
      }
    }

    private ReconciliationTask start(
        Reconciliation orders, ReconciliationConfig config, BlockingQueue<Report> reports) {
      return ReconciliationTask.start(orders, config, opened.taskProgress(), reports::add);
    }

    private static void awaitReports(BlockingQueue<Report> reports, int count) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (reports.size() < count) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  @Test
  void withoutAHistoryItIsNotKnownWhatWasSent() {
    JdbcDatabase forgetful =
        JdbcDatabase.open(EmptyDatabase.h2InMemory(), EmptyDatabase.WITH_ALL_TABLES);

    assertThatThrownBy(() -> forgetful.produced(ORDERS))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("jdbc.history: false (expected: true");
  }
}
