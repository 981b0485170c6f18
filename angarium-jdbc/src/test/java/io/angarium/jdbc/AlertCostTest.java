package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.AlertChannel;
import io.angarium.alert.AlertEngine;
import io.angarium.alert.AlertRoute;
import io.angarium.alert.AlertRule;
import io.angarium.alert.Finding;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.alert.Severity;
import io.angarium.alert.StandardRules;
import io.angarium.alert.signal.SignalReader;
import io.angarium.alert.signal.Signals;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.Confirmations;
import io.angarium.desk.PauseDesk;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.reconciliation.ReportShelf;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the look for alerts costs a database, by statements and pages. */
@OnOneJdk
final class AlertCostTest {
  @Nested
  final class OnH2 extends Costs {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb extends Costs {
    OnMariaDb() {
      super(EmptyDatabase.mariaDb());
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql extends Costs {
    OnMySql() {
      super(EmptyDatabase.mySql());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Costs {
    private static final int PAGES_MAX = 1_000;
    private static final int ROWS = 30_000;

    /** More than are counted, in each table. */
    private static final List<String> FILL =
        List.of(
            """
            INSERT INTO outbox (partition_no, message_id, destination, message_key, payload)
            SELECT n %% 64, gen_random_uuid(), 'kafka:orders', 'k' || n, decode(repeat('78', 200), 'hex')
            FROM generate_series(1, %1$d) AS n
            """,
            """
            INSERT INTO outbox_delayed (due_at, partition_no, message_id, destination, payload)
            SELECT now() - INTERVAL '1' HOUR, n %% 64, gen_random_uuid(), 'kafka:orders', '\\x00'
            FROM generate_series(1, %1$d) AS n
            """,
            """
            INSERT INTO outbox_parked (
              partition_no, id, key_hash, head, due_at, attempts, created_at, message_id, destination,
              payload)
            SELECT (n / 2) %% 64, n, n / 2, n %% 2 = 0, now() + n * INTERVAL '1' SECOND, 20, now(),
              gen_random_uuid(), 'kafka:orders', '\\x00'
            FROM generate_series(1, %1$d) AS n
            """,
            """
            INSERT INTO outbox_dead (
              id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
              destination, payload)
            SELECT n, n %% 64, n, TRUE, 5, repeat('x', 200), now(), gen_random_uuid(), 'kafka:orders',
              '\\x00'
            FROM generate_series(1, %1$d) AS n
            """,
            """
            VACUUM ANALYZE
            """);

    OnPostgres() {
      super(EmptyDatabase.postgresSessions());
    }

    @Test
    void roundReadsFewPagesHoweverMuchThereIs() throws SQLException {
      for (String statement : FILL) {
        EmptyDatabase.execute(database, statement.formatted(ROWS));
      }
      AlertEngine engine = engine("a");
      IntStream.range(0, 12).forEach(i -> engine.runOnce()); // all is told
      assertThat(told).extracting(each -> each.alert().key().rule()).contains("dead-rate");

      long before = pages();
      engine.runOnce();
      long pages = pages() - before;

      System.out.printf("PostgreSQL, a round of alerts: %d pages%n", pages);
      assertThat(pages).isBetween(100L, (long) PAGES_MAX);
    }

    private long pages() throws SQLException {
      Sql.of("SELECT pg_stat_force_next_flush()").run(session);
      return EmptyDatabase.number(
          database,
          """
          SELECT SUM(
            heap_blks_read + heap_blks_hit + COALESCE(idx_blks_read + idx_blks_hit, 0)
            + COALESCE(toast_blks_read + toast_blks_hit, 0))
          FROM pg_statio_user_tables
          """);
    }
  }

  /** One session, as of a pool, and the alerts of a rule that finds what a test wants. */
  abstract static class Costs {
    private static final int ALERTS = 30;

    /**
     * The most statements of a round without news: 8, and one each for the pauses, the
     * confirmations and the reports.
     */
    private static final int STATEMENTS_MAX = 11;

    /** The most statements with which a round writes and notes its news. */
    private static final int WRITES_MAX = 10;

    final DataSource database;
    final List<Notice> told = new CopyOnWriteArrayList<>();
    private final List<String> executed = new CopyOnWriteArrayList<>();
    private final List<Finding> found = new CopyOnWriteArrayList<>();
    Connection session;
    private JdbcDatabase opened;

    Costs(DataSource database) {
      this.database = database;
    }

    @BeforeEach
    void open() throws SQLException {
      JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
      session = database.getConnection();
      Connection pooled = Unclosable.of(Counted.of(session, executed::add));
      opened = JdbcDatabase.open(new ConnectionSource(() -> pooled), EmptyDatabase.WITH_ALL_TABLES);
      try (JdbcLeaseStore leases = opened.leases()) {
        leases.prepare(Partitioning.DEFAULTS);
        leases.heartbeat(new NodeId("a", new UUID(0, 1)), true, Duration.ofHours(1));
      }
    }

    @AfterEach
    void close() throws SQLException {
      session.close();
    }

    AlertEngine engine(String node) {
      return AlertEngine.builder(opened.alertStore(), signals())
          .node(node)
          .rule(new Yours(found))
          .route(AlertRoute.all(new Listed(told)))
          .build();
    }

    /** What an application reads. */
    private SignalReader signals() {
      HalfMessageDesk half = opened.halfMessageDesk(Handover.NONE);
      NodeBoard board = opened.nodeBoard();
      PauseDesk pauses = opened.desk().pauses();
      Confirmations confirmations = opened.confirmations();
      ReportShelf reports = opened.reportShelf();
      return SignalReader.builder("a", opened.browser(), StandardRules.COUNT_MAX)
          .pauses(() -> pauses)
          .half(() -> half)
          .board(() -> board)
          .confirmations(() -> confirmations)
          .reports(() -> reports)
          .build();
    }

    private void find(int count) {
      found.clear();
      IntStream.range(0, count)
          .forEach(i -> found.add(new Finding("kafka:" + i, Severity.WARNING, 1, "wrong")));
    }

    /** Those on our tables; sessions are set up and given back besides. */
    private List<String> statements(AlertEngine engine) {
      executed.clear();
      engine.runOnce();
      return executed.stream().filter(text -> text.contains("outbox")).toList();
    }

    @Test
    void roundCostsFewStatementsWhileAlertsAreOn() {
      AlertEngine engine = engine("a");
      find(ALERTS);
      IntStream.range(0, 4).forEach(i -> engine.runOnce());
      assertThat(told).hasSizeGreaterThanOrEqualTo(ALERTS);
      int before = told.size();

      List<String> round = statements(engine);

      assertThat(told).as("nothing is told").hasSize(before);
      assertThat(round).as("statements").hasSizeBetween(5, STATEMENTS_MAX);
    }

    @Test
    void roundThatWritesAndTellsCostsFewStatementsMoreHoweverMuchItIs() {
      AlertEngine engine = engine("a");
      engine.runOnce();
      find(300);

      List<String> begin = statements(engine);
      found.replaceAll(each -> new Finding(each.subject(), Severity.CRITICAL, 2, "worse"));
      List<String> change = statements(engine);

      assertThat(begin).hasSizeBetween(8, STATEMENTS_MAX + WRITES_MAX);
      assertThat(change).hasSizeBetween(8, STATEMENTS_MAX + WRITES_MAX);
      assertThat(told).hasSizeGreaterThanOrEqualTo(2 * Notices.MAX);
    }

    @Test
    void nodeThatDoesNotHaveTheTurnAsksOnce() {
      find(ALERTS);
      engine("a").runOnce();
      AlertEngine waiting = engine("b");
      waiting.runOnce();

      assertThat(statements(waiting)).hasSize(1);
    }

    /** Somebody has emptied the table, or restored another one. */
    @Test
    void turnBeginsWithoutItsRow() {
      EmptyDatabase.execute(database, "DELETE FROM outbox_alert_turn");
      AlertEngine engine = engine("a");
      find(1);

      engine.runOnce();

      assertThat(told).extracting(each -> each.alert().key().subject()).contains("kafka:0");
      assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox_alert_turn"))
          .isEqualTo(1);
      assertThat(opened.alertStore().begin("b", Duration.ofMinutes(1))).isNull();
    }
  }

  private record Yours(List<Finding> found) implements AlertRule {
    @Override
    public String name() {
      return "yours";
    }

    @Override
    public String meaning() {
      return "Look at it.";
    }

    @Override
    public List<Finding> look(Signals signals) {
      return List.copyOf(found);
    }
  }

  private record Listed(List<Notice> told) implements AlertChannel {
    @Override
    public String name() {
      return "list";
    }

    @Override
    public void send(Notices notices) {
      told.addAll(notices.list());
    }
  }
}
