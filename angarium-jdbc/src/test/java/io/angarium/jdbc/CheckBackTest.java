package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.HalfMessagesTest.JdbcFixture;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.half.AcceptedCall;
import io.angarium.jdbc.internal.half.ContendedTransaction;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfRow;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeProducers;
import io.angarium.testkit.tck.CheckBackFixture;
import io.angarium.testkit.tck.CheckBackTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The check-back of half messages on every database. */
final class CheckBackTest {
  /** Old enough for the first question. */
  private static final Duration AGE = CheckBackConfig.DEFAULTS.pauses().first().plusSeconds(1);

  /** No question takes too long, and no claim ends, because the machine stalls. */
  private static final CheckBackConfig PATIENT =
      new CheckBackConfig(
          CheckBackConfig.DEFAULTS.pauses(),
          CheckBackConfig.DEFAULTS.unknownMax(),
          CheckBackConfig.DEFAULTS.alertAfter(),
          CheckBackConfig.DEFAULTS.questionsMax(),
          CheckBackConfig.DEFAULTS.questionsInAllMax(),
          Duration.ofMinutes(5),
          Duration.ofHours(1),
          Duration.ofMillis(10),
          CheckBackConfig.DEFAULTS.sweep());

  private static final Message MESSAGE = Message.of("kafka:orders", new byte[1]);

  /** PostgreSQL looks for a deadlock after a second only. */
  private static final int ROUNDS = 12;

  private static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  private static HalfMessage message(String key) {
    return HalfMessage.of(key(key), MESSAGE).checkBack(URI.create("fake://shop"));
  }

  private static HalfRow row(String key) {
    return Objects.requireNonNull(
        AcceptedCall.of(new HalfCall.Prepare(message(key)), MessageIntake.of(null), Handover.NONE)
            .row());
  }

  @Test
  void actThatTheDatabaseEndsInFavourOfAnotherOneIsMadeAgain() {
    try (Fixture fixture = new Fixture(EmptyDatabase.h2InMemory(), "H2")) {
      fixture.half().prepare(message("1"));
      fixture.store().enter(0, Duration.ZERO);
      AtomicInteger deadlocks = new AtomicInteger(2);
      HalfMessageDesk desk =
          JdbcDatabase.open(
                  new ConnectionSource(
                      () -> deadlocking(fixture.dataSource.getConnection(), deadlocks)),
                  JdbcConfig.DEFAULTS)
              .halfMessageDesk(Handover.NONE);

      assertThat(desk.resume(key("1"), "ann", "again")).isEqualTo(HalfState.PREPARED);

      assertThat(deadlocks).hasNegativeValue();
      assertThat(desk.acts(key("1"))).hasSize(1);
      deadlocks.set(ContendedTransaction.ATTEMPTS_MAX);
      assertThatThrownBy(() -> desk.resume(key("1"), "ann", "again"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("Deadlock as planned");
      assertThat(deadlocks).hasValue(0);
      assertThat(desk.acts(key("1"))).hasSize(1);
    }
  }

  private static Connection deadlocking(Connection real, AtomicInteger left) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("prepareStatement")
              && arguments[0].toString().matches("(?s)UPDATE \\S+outbox_half_check.*")
              && left.getAndDecrement() > 0) {
            throw new SQLException("Deadlock as planned", "40001");
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (Connection)
        Proxy.newProxyInstance(
            CheckBackTest.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
  }

  @Nested
  final class OnH2 implements OnDatabase {
    private final Fixture fixture = new Fixture(EmptyDatabase.h2InMemory(), "H2");

    @Override
    public Fixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final Fixture fixture = new Fixture(EmptyDatabase.postgres(), "PostgreSQL");

    @Override
    public Fixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnDatabase {
    private final Fixture fixture = new Fixture(EmptyDatabase.mariaDb(), "MariaDB");

    @Override
    public Fixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OnDatabase {
    private final Fixture fixture = new Fixture(EmptyDatabase.mySql(), "MySQL");

    @Override
    public Fixture fixture() {
      return fixture;
    }
  }

  static final class Fixture implements CheckBackFixture {
    private final DataSource dataSource;
    private final String product;
    private final JdbcFixture half;
    private final JdbcDatabase database;
    private final List<JdbcCheckStore> stores = new ArrayList<>();
    private final JdbcCheckStore store;

    Fixture(DataSource dataSource, String product) {
      this.dataSource = dataSource;
      this.product = product;
      this.half = new JdbcFixture(dataSource, product);
      this.database = JdbcDatabase.open(PatientDatabase.of(dataSource), JdbcConfig.DEFAULTS);
      this.store = another();
    }

    @Override
    public HalfMessages half() {
      return half.half();
    }

    @Override
    public CheckStore store() {
      return store;
    }

    @Override
    public JdbcCheckStore another() {
      JdbcCheckStore opened = database.checkStore();
      stores.add(opened);
      return opened;
    }

    @Override
    public HalfMessageDesk desk() {
      return database.halfMessageDesk(Handover.NONE);
    }

    @Override
    public void pass(Duration time) {
      EmptyDatabase.execute(
          dataSource,
          "UPDATE outbox_half SET created_at = " + earlier("created_at", time),
          "UPDATE outbox_half_check SET next_at = " + earlier("next_at", time),
          "UPDATE outbox_half_alert SET due_at = " + earlier("due_at", time));
    }

    Dialect dialect() {
      return Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
    }

    /** Makes one row old enough, which waits for no other. */
    void age(long number) {
      EmptyDatabase.execute(
          dataSource,
          "UPDATE outbox_half SET created_at = "
              + earlier("created_at", AGE)
              + " WHERE id = "
              + number);
    }

    String earlier(String column, Duration time) {
      return switch (product) {
        case "PostgreSQL" -> column + " - interval '" + time.toMillis() + " milliseconds'";
        case "H2" -> "DATEADD(MILLISECOND, -" + time.toMillis() + ", " + column + ")";
        default -> column + " - INTERVAL " + time.toMillis() * 1_000 + " MICROSECOND";
      };
    }

    @Override
    public List<Message> sent() {
      return half.sent();
    }

    long number(String sql) {
      return EmptyDatabase.number(dataSource, sql);
    }

    @Override
    public void close() {
      half.close();
      stores.forEach(JdbcCheckStore::close);
    }
  }

  interface OnDatabase extends CheckBackTck {
    @Override
    Fixture fixture();

    private CheckBackLoop loop(FakeProducers producers, ManualClock clock) {
      return CheckBackLoop.builder(fixture().half(), fixture().store())
          .transport(producers)
          .time(clock)
          .build();
    }

    /** Its number is lower than the one from which the search goes on. */
    @Test
    default void rowOfALongTransactionIsFoundByASweep() throws Exception {
      FakeProducers producers = new FakeProducers();
      producers.answer(key("late"), Verdict.COMMITTED);
      producers.answer(key("2"), Verdict.COMMITTED);
      ManualClock clock = ManualClock.create();
      CheckBackLoop loop = loop(producers, clock);
      loop.runOnce();

      try (Connection open = fixture().dataSource.getConnection()) {
        open.setAutoCommit(false);
        new HalfDialect(fixture().dialect()).inserts().add(open, List.of(row("late")));
        fixture().half().prepare(message("2"));
        fixture().age(fixture().number("SELECT MAX(id) FROM outbox_half"));
        loop.runOnce();
        open.commit();
      }
      fixture().pass(AGE);
      loop.runOnce();
      HalfState passed = fixture().half().state(key("late"));
      clock.advance(CheckBackConfig.DEFAULTS.sweep());
      loop.runOnce();

      assertThat(fixture().half().state(key("2"))).isEqualTo(HalfState.COMMITTED);
      assertThat(passed).isEqualTo(HalfState.PREPARED);
      assertThat(fixture().half().state(key("late"))).isEqualTo(HalfState.COMMITTED);
    }

    /** With threads of their own, and by the clock of the database. */
    @Test
    default void nodesThatRunAtOnceAskForEachKeyOnce() throws Exception {
      int count = 300;
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        calls.add(new HalfCall.Prepare(HalfMessage.of(key("" + i), MESSAGE)));
      }
      fixture().half().callAll(calls);
      fixture().pass(AGE);
      Map<HalfKey, Integer> asked = new ConcurrentHashMap<>();
      CountDownLatch all = new CountDownLatch(count);
      List<CheckBackLoop> loops = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        loops.add(
            CheckBackLoop.builder(fixture().half(), fixture().another())
                .config(PATIENT)
                .checkBack(
                    "order",
                    key -> {
                      asked.merge(key, 1, Integer::sum);
                      all.countDown();
                      return Verdict.COMMITTED;
                    })
                .build());
      }

      loops.forEach(CheckBackLoop::start);
      boolean done = all.await(60, TimeUnit.SECONDS);
      loops.forEach(CheckBackLoop::close);

      assertThat(done).isTrue();
      assertThat(asked).hasSize(count);
      assertThat(asked.values()).containsOnly(1);
    }

    @Test
    default void actAndItsNoteAreOneTransaction() {
      fixture().half().prepare(message("1"));
      EmptyDatabase.execute(
          fixture().dataSource, "ALTER TABLE outbox_half_audit RENAME TO elsewhere");

      assertThatThrownBy(() -> fixture().desk().commit(key("1"), "ann", "paid"))
          .isInstanceOf(StoreException.class);

      assertThat(fixture().half().state(key("1"))).isEqualTo(HalfState.PREPARED);
      assertThat(fixture().sent()).isEmpty();
    }

    @Test
    default void whatAPersonCommitsIsHandedOver() {
      fixture().half().prepare(message("1"));
      List<CommittedMessages> handedOver = new ArrayList<>();
      HalfMessageDesk desk =
          fixture()
              .database
              .halfMessageDesk(
                  new Handover() {
                    @Override
                    public void committed(CommittedMessages written, Duration sinceWritten) {
                      handedOver.add(written);
                    }

                    @Override
                    public int keylessPartition(Partitioning partitioning, long random) {
                      return partitioning.ofKeyless(random);
                    }
                  });

      desk.commit(key("1"), "ann", "paid");

      assertThat(handedOver).hasSize(1);
      assertThat(handedOver.get(0).keyless()).hasSize(1);
      try (JdbcOutboxStore store = fixture().database.store()) {
        assertThat(handedOver.get(0).source()).isNotNull().isEqualTo(store.source());
      }
    }

    /** One holds the message first, the other one the check. */
    @Test
    default void actOfAPersonAndGivingUpAtOnceBothEnd() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        for (int i = 0; i < ROUNDS; i++) {
          HalfKey key = key("" + i);
          fixture().half().prepare(message(key.key()));
          fixture().pass(AGE);
          fixture().store().enter(0, AGE.minusSeconds(1));
          DueCheck due = fixture().store().claim(10, AGE).checks().get(0);
          NotedCheck last =
              new NotedCheck(due, CheckAnswer.of(Verdict.UNKNOWN), 1, 0, Duration.ZERO);
          List<Callable<Object>> both =
              List.of(
                  () -> fixture().desk().resume(key, "ann", "again"),
                  () -> fixture().store().giveUp(last));
          for (Future<Object> each : threads.invokeAll(both)) {
            assertThat(each.get()).isNotNull();
          }
          fixture().desk().commit(key, "ann", "paid");
        }
      } finally {
        threads.shutdownNow();
      }
    }

    @Test
    default void whatIsForgottenLeavesTheList() {
      fixture().half().prepare(message("1"));
      fixture().pass(AGE);
      fixture().store().enter(0, AGE.minusSeconds(1));
      EmptyDatabase.execute(fixture().dataSource, "DELETE FROM outbox_half");

      assertThat(fixture().store().claim(10, AGE).checks()).isEmpty();

      assertThat(fixture().number("SELECT COUNT(*) FROM outbox_half_check")).isZero();
    }

    @Test
    default void decisionOfWhatIsUnresolvedLeavesTheListInItsTransaction() {
      fixture().half().prepare(message("1"));
      fixture().pass(AGE);
      fixture().store().enter(0, AGE.minusSeconds(1));
      DueCheck due = fixture().store().claim(10, AGE).checks().get(0);
      fixture()
          .store()
          .giveUp(new NotedCheck(due, CheckAnswer.of(Verdict.UNKNOWN), 1, 0, Duration.ZERO));

      fixture().half().commit(key("1"));

      assertThat(fixture().number("SELECT COUNT(*) FROM outbox_half_check")).isZero();
    }

    @Test
    default void tablesMayHaveAnotherPrefix() {
      JdbcConfig config = EmptyDatabase.WITH_ALL_TABLES.tables("shop_box");
      JdbcDatabase database = JdbcDatabase.open(fixture().dataSource, config);
      try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE);
          JdbcCheckStore store = database.checkStore()) {
        half.prepare(message("1"));
        EmptyDatabase.execute(
            fixture().dataSource,
            "UPDATE shop_box_half SET created_at = " + fixture().earlier("created_at", AGE));
        store.enter(store.last() - 1, AGE.minusSeconds(1));
        DueCheck due = store.claim(10, AGE).checks().get(0);
        NotedCheck noted =
            new NotedCheck(due, CheckAnswer.of(Verdict.UNKNOWN), 1, 0, Duration.ZERO);

        assertThat(store.giveUp(noted)).isTrue();

        HalfMessageDesk desk = database.halfMessageDesk(Handover.NONE);
        assertThat(desk.unresolved(0, 10)).hasSize(1);
        assertThat(desk.backlog()).isEqualTo(new HalfBacklog(0, 0, 1));
        assertThat(desk.resume(key("1"), "ann", "once more")).isEqualTo(HalfState.PREPARED);
        assertThat(desk.acts(key("1"))).hasSize(1);
        store.strike(store.claim(10, AGE).checks());
        assertThat(desk.find(key("1")).orElseThrow().check()).isNull();
      }
      assertThat(fixture().number("SELECT COUNT(*) FROM outbox_half")).isZero();
    }
  }
}
