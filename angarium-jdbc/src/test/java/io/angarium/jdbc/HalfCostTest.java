package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What calls for half messages cost the database, by statements. */
@OnOneJdk
final class HalfCostTest {
  private static final int CALLERS = 64;

  private static HalfKey key(int number) {
    return new HalfKey("order", "" + number);
  }

  private static HalfMessage message(int number) {
    return HalfMessage.of(key(number), Message.of("kafka:orders", new byte[200]).key("k" + number));
  }

  /** One session, whose first statement does not run before all other callers wait. */
  private static final class Scene implements AutoCloseable {
    private final List<String> executed = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private final JdbcHalfMessages half;
    private volatile CountDownLatch end = new CountDownLatch(0);

    Scene(DataSource database) {
      JdbcConfig config = JdbcConfig.DEFAULTS;
      JdbcDatabase unused =
          JdbcDatabase.open(
              database, config.schemaMode(SchemaMode.CREATE).features(SchemaFeature.HALF));
      JdbcDatabase counted =
          JdbcDatabase.open(
              new ConnectionSource(() -> Counted.of(database.getConnection(), this::note)), config);
      half = counted.halfMessages(MessageIntake.of(null), Handover.NONE, 1);
    }

    private void note(String text) {
      executed.add(text.lines().findFirst().orElse(""));
      if (executed.size() == 1) {
        await(end);
      }
    }

    /** The statements of as many callers, of whom all but the first come at the same time. */
    List<String> statements(Function<Integer, HalfState> call) throws Exception {
      executed.clear();
      end = new CountDownLatch(1);
      List<Future<HalfState>> states = new ArrayList<>();
      states.add(threads.submit(() -> call.apply(0)));
      awaitThat(() -> !executed.isEmpty());
      for (int i = 1; i < CALLERS; i++) {
        int number = i;
        states.add(threads.submit(() -> call.apply(number)));
      }
      awaitThat(() -> half.waiting() == CALLERS - 1);
      end.countDown();
      for (Future<HalfState> state : states) {
        assertThat(state.get(60, TimeUnit.SECONDS))
            .isIn(HalfState.PREPARED, HalfState.COMMITTED, HalfState.ROLLED_BACK);
      }
      return List.copyOf(executed);
    }

    @Override
    public void close() {
      end.countDown();
      threads.shutdownNow();
      half.close();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void awaitThat(Condition condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static List<String> twice(String... statements) {
    List<String> twice = new ArrayList<>(List.of(statements));
    twice.addAll(List.of(statements));
    return twice;
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void callersAtOnceAreTwoStatementsOnPostgresql() throws Exception {
    try (Scene scene = new Scene(EmptyDatabase.postgres())) {
      scene.half.prepare(message(4711)); // opens the connection

      assertThat(scene.statements(i -> scene.half.prepare(message(i))))
          .as("the first comes alone")
          .isEqualTo(twice("INSERT INTO outbox_half ("));
      assertThat(scene.statements(i -> scene.half.commit(key(i))))
          .isEqualTo(twice("WITH decided AS ("));
      assertThat(scene.statements(i -> scene.half.commit(key(0))))
          .as("repeats for one key")
          .startsWith("WITH decided AS (")
          .endsWith("WITH decided AS (", "SELECT", "COMMIT");
    }
  }

  @Test
  @RequiresMariaDb
  void callersAtOnceAreTwoTransactionsOnMariadb() throws Exception {
    assertOnMySqlFamily(EmptyDatabase.mariaDb(), twice(INSERT, LOOK, "COMMIT"));
  }

  @Test
  @RequiresMySql
  void callersAtOnceAreTwoTransactionsOnMysql() throws Exception {
    // without the lock that the failed statement leaves
    assertOnMySqlFamily(EmptyDatabase.mySql(), twice(INSERT, "ROLLBACK", INSERT, LOOK, "COMMIT"));
  }

  private static final String INSERT = "INSERT INTO outbox_half (";
  private static final String LOOK =
      "SELECT half_id, state, payload_bytes, UTC_TIMESTAMP(6) AS held_at, id, created_at,"
          + " message_id";

  private static void assertOnMySqlFamily(DataSource database, List<String> repeats)
      throws Exception {
    try (Scene scene = new Scene(database)) {
      scene.half.prepare(message(4711)); // opens the connection

      assertThat(scene.statements(i -> scene.half.prepare(message(i))))
          .isEqualTo(twice("INSERT INTO outbox_half (", "COMMIT"));
      assertThat(scene.statements(i -> scene.half.prepare(message(0)))).isEqualTo(repeats);
      List<String> commits = scene.statements(i -> scene.half.commit(key(i)));
      assertThat(commits.stream().filter(text -> !text.startsWith("INSERT INTO outbox ")))
          .isEqualTo(twice("SELECT", "UPDATE outbox_half FORCE INDEX (by_key)", "COMMIT"));
      assertThat(commits).hasSizeBetween(8, 9);
    }
  }

  /** Each change would be a round trip on MySQL and MariaDB. */
  @Test
  void connectionStaysInItsModeBetweenTransactions() {
    DataSource database = EmptyDatabase.h2InMemory();
    JdbcDatabase unused = JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
    AtomicInteger changes = new AtomicInteger();
    JdbcDatabase counted =
        JdbcDatabase.open(
            new ConnectionSource(() -> countingModes(database.getConnection(), changes)),
            JdbcConfig.DEFAULTS);
    try (JdbcHalfMessages half = counted.halfMessages(MessageIntake.of(null), Handover.NONE, 1)) {
      half.prepare(message(0));
      changes.set(0);

      for (int i = 1; i < 5; i++) {
        half.prepare(message(i));
        half.commit(key(i));
      }

      assertThat(changes).hasValue(0);
    }
  }

  private static Connection countingModes(Connection connection, AtomicInteger changes) {
    return (Connection)
        Proxy.newProxyInstance(
            HalfCostTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("setAutoCommit")) {
                changes.incrementAndGet();
              }
              return method.invoke(connection, arguments);
            });
  }

  /** A group that the database refuses is made call by call. */
  @Test
  void callThatTheDatabaseRefusesFailsAlone() throws Exception {
    DataSource database = EmptyDatabase.h2InMemory();
    try (Scene scene = new Scene(database)) {
      EmptyDatabase.execute(database, "ALTER TABLE outbox_half ADD CHECK (half_key <> '7')");

      assertThatThrownBy(
              () ->
                  scene.statements(
                      i -> i == 7 ? refused(scene.half) : scene.half.prepare(message(i))))
          .hasRootCauseMessage("refused as planned");

      List<HalfKey> others = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        others.add(key(i));
      }
      others.remove(7);
      assertThat(scene.half.states(others).values()).containsOnly(HalfState.PREPARED);
      assertThat(scene.half.state(key(7))).isEqualTo(HalfState.UNKNOWN);
    }
  }

  private static HalfState refused(JdbcHalfMessages half) {
    assertThatThrownBy(() -> half.prepare(message(7))).isInstanceOf(StoreException.class);
    throw new IllegalStateException("refused as planned");
  }

  /** Between looking and adding it was prepared and decided; before it is held, forgotten. */
  @Test
  void rowThatIsForgottenInBetweenIsNoFailure() {
    DataSource database = EmptyDatabase.h2InMemory();
    JdbcDatabase plain = JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
    AtomicInteger holds = new AtomicInteger();
    try (JdbcHalfMessages other = plain.halfMessages(MessageIntake.of(null), Handover.NONE)) {
      DataSource racing =
          new ConnectionSource(
              () ->
                  Counted.of(
                      database.getConnection(),
                      text -> {
                        boolean hold = text.contains("FOR UPDATE");
                        if (hold && holds.incrementAndGet() == 2) {
                          EmptyDatabase.execute(database, "DELETE FROM outbox_half");
                        } else if (!hold && holds.get() == 1 && text.contains("outbox_half")) {
                          other.prepare(message(1));
                          other.commit(key(1));
                        }
                      }));
      JdbcDatabase opened = JdbcDatabase.open(racing, JdbcConfig.DEFAULTS);
      try (JdbcHalfMessages half = opened.halfMessages(MessageIntake.of(null), Handover.NONE)) {
        assertThat(half.commit(key(1), WhenUnknown.REMEMBER))
            .isEqualTo(HalfState.COMMIT_REMEMBERED);
      }
      assertThat(holds).hasValueGreaterThan(2);
    }
  }

  /** Or the packet of the database would be too small for a group. */
  @Test
  void headersCountAsThePayloadDoes() {
    try (Scene scene = new Scene(EmptyDatabase.h2InMemory())) {
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        Message message =
            Message.of("kafka:orders", new byte[0]).header("tenant", "t".repeat(4_000));
        calls.add(new HalfCall.Prepare(HalfMessage.of(key(i), message)));
      }

      scene.half.callAll(calls);

      assertThat(scene.executed.stream().filter("COMMIT"::equals)).hasSize(2);
    }
  }

  @Test
  void batchOfManyKeysIsAFewTransactions() {
    try (Scene scene = new Scene(EmptyDatabase.h2InMemory())) {
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < 1_200; i++) {
        calls.add(new HalfCall.Prepare(message(i)));
      }

      scene.half.callAll(calls);

      assertThat(scene.executed.stream().filter("COMMIT"::equals)).hasSize(3);
    }
  }
}
