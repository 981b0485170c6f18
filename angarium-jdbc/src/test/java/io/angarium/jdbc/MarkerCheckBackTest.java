package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The marker of a business transaction answers for its half message, on every database. */
final class MarkerCheckBackTest {
  private static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  private static Marker marker(HalfKey key) {
    return new Marker(key.business(), key.key());
  }

  @Nested
  final class OnH2 extends OnDatabase {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnServer {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends OnServer {
    OnMariaDb() {
      super(EmptiedDatabase.mariaDb());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends OnServer {
    OnMySql() {
      super(EmptiedDatabase.mySql());
    }
  }

  abstract static class OnDatabase {
    private final DataSource dataSource;
    final JdbcDatabase business;
    final CheckBack checkBack;

    OnDatabase(DataSource dataSource) {
      this.dataSource = dataSource;
      JdbcConfig config = EmptyDatabase.WITH_ALL_TABLES;
      // whose time stands: no question comes to the end of what it may take
      this.business = JdbcDatabase.open(dataSource, config, ManualClock.create());
      this.checkBack = business.markers().checkBack();
    }

    void commit(HalfKey key) {
      business.localTransactions().run(marker(key), connection -> true);
    }

    /** A business transaction after its first statement. */
    Connection begun(HalfKey key) throws SQLException {
      Connection open = dataSource.getConnection();
      open.setAutoCommit(false);
      business.markers().claim(open, marker(key));
      return open;
    }

    @Test
    void committedTransactionIsCommitted() throws Exception {
      commit(key("1"));

      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void rolledBackTransactionIsRolledBack() throws Exception {
      try (Connection open = begun(key("1"))) {
        open.rollback();
      }

      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.ROLLED_BACK);
    }

    @Test
    void openTransactionIsInFlightUntilItEnds() throws Exception {
      try (Connection open = begun(key("1"))) {
        assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.IN_FLIGHT);
        assertThat(checkBack.checkAll(List.of(key("1")))).containsExactly(Verdict.IN_FLIGHT);

        open.commit();
      }

      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void transactionThatComesAfterTheQuestionIsRuledOut() throws Exception {
      try (Connection late = dataSource.getConnection()) {
        late.setAutoCommit(false); // begun, and nothing written yet

        assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.ROLLED_BACK);

        assertThatThrownBy(() -> business.markers().claim(late, marker(key("1"))))
            .isInstanceOf(MarkerTakenException.class);
        late.rollback();
      }
      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.ROLLED_BACK);
    }

    @Test
    void manyAreAnsweredInTheirOrder() throws Exception {
      commit(key("committed"));
      commit(key("Committed")); // another one
      checkBack.check(key("ruled out"));
      try (Connection open = begun(key("open"))) {
        List<HalfKey> keys =
            List.of(
                key("never begun"),
                key("committed"),
                key("open"),
                key("ruled out"),
                key("Committed"),
                key("never begun either"));

        assertThat(checkBack.checkAll(keys))
            .containsExactly(
                Verdict.ROLLED_BACK,
                Verdict.COMMITTED,
                Verdict.IN_FLIGHT,
                Verdict.ROLLED_BACK,
                Verdict.COMMITTED,
                Verdict.ROLLED_BACK);
        open.rollback();
      }
      assertThat(checkBack.checkAll(List.of())).isEmpty();
    }

    @Test
    void loopDecidesByTheMarkers() throws Exception {
      DataSource outbox = EmptyDatabase.h2InMemory();
      JdbcDatabase database = JdbcDatabase.open(outbox, EmptyDatabase.WITH_ALL_TABLES);
      try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);
          JdbcCheckStore store = database.checkStore();
          Connection open = begun(key("open"))) {
        for (String key : List.of("committed", "open", "dead")) {
          half.prepare(HalfMessage.of(key(key), Message.of("kafka:orders", new byte[1])));
        }
        commit(key("committed"));
        EmptyDatabase.execute(
            outbox, "UPDATE outbox_half SET created_at = DATEADD(HOUR, -1, created_at)");
        CheckBackLoop loop =
            CheckBackLoop.builder(half, store)
                .config(CheckBackConfig.DEFAULTS.interval(Duration.ofMillis(10)))
                .checkBack("order", checkBack)
                .build();

        loop.start();
        awaitThat(() -> half.state(key("dead")) == HalfState.ROLLED_BACK);
        awaitThat(() -> half.state(key("committed")) == HalfState.COMMITTED);
        loop.close();

        assertThat(half.state(key("open"))).isEqualTo(HalfState.PREPARED);
        assertThatThrownBy(() -> commit(key("dead"))).isInstanceOf(MarkerTakenException.class);
        open.rollback();
      }
      assertThat(EmptyDatabase.number(outbox, "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
    }

    interface Condition {
      boolean holds() throws Exception;
    }

    static void awaitThat(Condition condition) throws Exception {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!condition.holds()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  /** An embedded database loses its connections with its process only. */
  abstract static class OnServer extends OnDatabase {
    OnServer(DataSource dataSource) {
      super(PatientDatabase.of(dataSource));
    }

    @Test
    void transactionWhoseConnectionDiesIsRolledBack() throws Exception {
      Connection open = begun(key("1"));
      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.IN_FLIGHT);

      open.abort(Runnable::run);

      awaitThat(() -> checkBack.check(key("1")) == Verdict.ROLLED_BACK); // the server notices soon
      assertThat(checkBack.check(key("1"))).isEqualTo(Verdict.ROLLED_BACK);
      assertThatThrownBy(() -> commit(key("1"))).isInstanceOf(MarkerTakenException.class);
    }
  }

  /** Or who asks would not wait any more, and all of them would be asked for once more. */
  @Test
  void whatTakesTooLongIsLeftToTheNextQuestion() throws Exception {
    DataSource dataSource = EmptyDatabase.h2InMemory();
    ManualClock clock = ManualClock.create();
    TimeSource hurried =
        new TimeSource() {
          @Override
          public Instant instant() {
            return clock.instant();
          }

          @Override
          public long nanoTime() {
            return clock.advance(Duration.ofMillis(1_500)).nanoTime();
          }
        };
    JdbcDatabase business = JdbcDatabase.open(dataSource, EmptyDatabase.WITH_ALL_TABLES, hurried);
    List<HalfKey> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(key("" + i));
    }

    List<Verdict> verdicts = business.markers().checkBack().checkAll(keys);

    assertThat(verdicts).hasSize(10).startsWith(Verdict.ROLLED_BACK).endsWith(Verdict.UNREACHABLE);
  }

  @Test
  void severalKeysOfTransactionalMessagesAreAskedForOnOneConnection() throws Exception {
    DataSource database = EmptyDatabase.h2InMemory();
    JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
    AtomicInteger connections = new AtomicInteger();
    DataSource counted =
        new ConnectionSource(
            () -> {
              connections.incrementAndGet();
              return database.getConnection();
            });
    JdbcLocalTransactions local =
        JdbcDatabase.open(counted, JdbcConfig.DEFAULTS).localTransactions();
    List<HalfKey> keys = List.of(key("1"), key("2"), key("3"));
    keys.forEach(key -> local.run(marker(key), connection -> true));
    CheckBack checkBack =
        new TransactionalMessages<>(new InMemoryHalfMessages(TimeSource.SYSTEM), local).checkBack();
    int before = connections.get();

    assertThat(checkBack.checkAll(keys)).hasSize(3).containsOnly(Verdict.COMMITTED);

    assertThat(connections.get() - before).isEqualTo(1);
  }

  @Test
  void databaseOutOfReachIsUnreachableForAll() throws Exception {
    DataSource database = EmptyDatabase.h2InMemory();
    JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
    boolean[] away = {false};
    DataSource flaky =
        new ConnectionSource(
            () -> {
              if (away[0]) {
                throw new SQLException("no route to host", "08001");
              }
              return database.getConnection();
            });
    CheckBack checkBack = JdbcDatabase.open(flaky, JdbcConfig.DEFAULTS).markers().checkBack();
    away[0] = true;

    assertThat(checkBack.checkAll(List.of(key("1"), key("2"))))
        .containsExactly(Verdict.UNREACHABLE, Verdict.UNREACHABLE);
    away[0] = false;
    assertThat(checkBack.checkAll(List.of(key("1")))).containsExactly(Verdict.ROLLED_BACK);
  }
}
