package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.dialect.h2.H2Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Half messages on every database. */
final class HalfMessagesTest {
  private static final HalfKey KEY = new HalfKey("order", "1");

  private static HalfMessage message(HalfKey key, String brokerKey) {
    Message message = Message.of("kafka:orders", key.key().getBytes(UTF_8));
    return HalfMessage.of(key, brokerKey.isEmpty() ? message : message.key(brokerKey));
  }

  @Nested
  final class OnH2 implements OnDatabase {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.h2InMemory(), "H2");

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.postgres(), "PostgreSQL");

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnDatabase {
    private final JdbcFixture fixture = new JdbcFixture(EmptiedDatabase.mariaDb(), "MariaDB");

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OnDatabase {
    private final JdbcFixture fixture = new JdbcFixture(EmptiedDatabase.mySql(), "MySQL");

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  static final class JdbcFixture implements HalfMessagesFixture {
    private final DataSource dataSource;
    private final Dialect dialect;
    private final JdbcDatabase database;
    private final JdbcHalfMessages half;
    private final List<JdbcHalfMessages> open = new ArrayList<>();

    JdbcFixture(DataSource dataSource, String product) {
      this.dataSource = dataSource;
      this.dialect = Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
      this.database =
          JdbcDatabase.open(PatientDatabase.of(dataSource), EmptyDatabase.WITH_ALL_TABLES);
      this.half = with(Handover.NONE);
    }

    JdbcHalfMessages with(Handover handover) {
      JdbcHalfMessages opened = database.halfMessages(MessageIntake.of(null), handover);
      open.add(opened);
      return opened;
    }

    UUID source() {
      try (JdbcOutboxStore store = database.store()) {
        return Objects.requireNonNull(store.source());
      }
    }

    /** Which gives up waiting for a key as soon as the product does. */
    JdbcHalfMessages withOneSession() {
      JdbcHalfMessages opened =
          JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS)
              .halfMessages(MessageIntake.of(null), Handover.NONE, 1);
      open.add(opened);
      return opened;
    }

    @Override
    public JdbcHalfMessages half() {
      return half;
    }

    @Override
    public HalfMessages another() {
      return with(Handover.NONE);
    }

    @Override
    public List<Message> sent() {
      List<Message> sent = new ArrayList<>();
      MessageRows rows = new MessageRows(dialect);
      String columns =
          "SELECT partition_no, id, message_id, destination, message_key, message_type, headers,"
              + " payload, business_type, business_key, created_by, 0, created_at";
      try (Connection connection = dataSource.getConnection()) {
        Sql.of(columns + " FROM outbox")
            .forEach(connection, row -> sent.add(rows.message(row).message()));
        Sql.of(columns + ", due_at FROM outbox_delayed")
            .forEach(
                connection,
                row -> sent.add(rows.message(row).message().notBefore(dialect.instant(row, 14))));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return sent;
    }

    @Override
    public Instant now() {
      try (Connection connection = dataSource.getConnection()) {
        return Sql.of(ClockDialect.of(dialect).in("SELECT :now"))
            .query(connection, row -> dialect.instant(row, 1))
            .get(0);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    long number(String sql) {
      return EmptyDatabase.number(dataSource, sql);
    }

    @Override
    public void close() {
      open.forEach(JdbcHalfMessages::close);
    }
  }

  interface OnDatabase extends HalfMessagesTck {
    @Override
    JdbcFixture fixture();

    @Test
    default void decidedMessagesHaveNoPayloadAnyMore() {
      for (String key : List.of("1", "2", "3")) {
        fixture().half().prepare(message(new HalfKey("order", key), ""));
      }

      fixture().half().commit(new HalfKey("order", "1"));
      fixture().half().rollback(new HalfKey("order", "2"));

      assertThat(fixture().number("SELECT COUNT(*) FROM outbox_half WHERE payload IS NULL"))
          .isEqualTo(2);
      assertThat(fixture().number("SELECT COUNT(*) FROM outbox_half WHERE decided_at IS NULL"))
          .isEqualTo(1);
    }

    /** Neither half of the move stays without the other. */
    @Test
    default void commitThatCannotWriteTheMessageLeavesItPrepared() {
      fixture().half().prepare(message(KEY, ""));
      EmptyDatabase.execute(fixture().dataSource, "ALTER TABLE outbox RENAME TO elsewhere");

      assertThatThrownBy(() -> fixture().half().commit(KEY)).isInstanceOf(StoreException.class);

      assertThat(fixture().half().state(KEY)).isEqualTo(HalfState.PREPARED);
      EmptyDatabase.execute(fixture().dataSource, "ALTER TABLE elsewhere RENAME TO outbox");
      assertThat(fixture().half().commit(KEY)).isEqualTo(HalfState.COMMITTED);
      assertThat(fixture().sent()).hasSize(1);
    }

    @Test
    default void callWithoutAnAnswerIsRepeatedWithoutHarm() {
      AtomicBoolean opened = new AtomicBoolean();
      DataSource lossy =
          new ConnectionSource(
              () -> {
                Connection connection = fixture().dataSource.getConnection();
                return opened.get() ? losingCommits(connection) : connection;
              });
      JdbcDatabase database =
          JdbcDatabase.open(lossy, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
      opened.set(true);
      try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE)) {
        assertThatThrownBy(() -> half.prepare(message(KEY, ""))).isInstanceOf(StoreException.class);
        assertThat(fixture().half().prepare(message(KEY, ""))).isEqualTo(HalfState.PREPARED);
        assertThatThrownBy(() -> half.commit(KEY)).isInstanceOf(StoreException.class);
        assertThat(fixture().half().commit(KEY)).isEqualTo(HalfState.COMMITTED);
      }

      assertThat(fixture().sent()).hasSize(1);
    }

    @Test
    default void callsForOtherKeysDoNotWaitForAKeyThatIsHeld() throws Exception {
      HalfKey other = new HalfKey("order", "other");
      fixture().half().prepare(message(KEY, ""));
      fixture().half().prepare(message(other, ""));

      CompletableFuture<HalfState> held;
      try (Connection holding = fixture().dataSource.getConnection()) {
        holding.setAutoCommit(false);
        new HalfDialect(fixture().dialect).lock(List.of(KEY.id())).run(holding);
        HalfMessages waiting = fixture().another();
        held = atOnce(() -> commitUntilDone(waiting));
        HalfMessages passing = fixture().another();

        assertThat(atOnce(() -> passing.commit(other)))
            .succeedsWithin(Duration.ofSeconds(60))
            .isEqualTo(HalfState.COMMITTED);
        assertThat(atOnce(() -> passing.prepare(message(new HalfKey("order", "new"), ""))))
            .succeedsWithin(Duration.ofSeconds(60));

        assertThat(held).isNotDone();
        holding.rollback();
      }
      assertThat(held.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
    }

    /** Also if they are in one transaction at first. */
    @Test
    default void callInAGroupDoesNotWaitForAKeyThatIsHeld() throws Exception {
      HalfKey other = new HalfKey("order", "other");
      fixture().half().prepare(message(KEY, ""));
      fixture().half().prepare(message(other, ""));
      JdbcHalfMessages half = fixture().withOneSession();
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<HalfState>> held = new ArrayList<>();

      try (Connection holding = fixture().dataSource.getConnection()) {
        holding.setAutoCommit(false);
        new HalfDialect(fixture().dialect).lock(List.of(KEY.id())).run(holding);
        for (int i = 0; i < 3; i++) {
          held.add(threads.submit(() -> commitUntilDone(half)));
        }
        Future<HalfState> passing = threads.submit(() -> half.commit(other));

        assertThat(passing.get(55, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);

        assertThat(held).noneMatch(Future::isDone);
        holding.rollback();
      } finally {
        threads.shutdown();
      }
      for (Future<HalfState> state : held) {
        assertThat(state.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
      }
    }

    /** On a thread of its own: on two cores the pool of all has one, from Java 25 on. */
    private static <T> CompletableFuture<T> atOnce(Supplier<T> call) {
      return CompletableFuture.supplyAsync(call, work -> new Thread(work).start());
    }

    /** H2 waits for two seconds only. */
    private static HalfState commitUntilDone(HalfMessages half) {
      for (int i = 0; i < 60; i++) {
        try {
          return half.commit(KEY);
        } catch (StoreException e) {
          // comes again
        }
      }
      return half.commit(KEY);
    }

    @Test
    default void committedMessagesAreHandedOverAfterTheCommit() {
      List<CommittedMessages> handedOver = new ArrayList<>();
      JdbcHalfMessages half = fixture().with(recording(handedOver));
      half.prepare(message(KEY, ""));
      HalfKey keyed = new HalfKey("order", "keyed");
      half.prepare(message(keyed, "4711"));
      HalfKey delayed = new HalfKey("order", "delayed");
      half.prepare(message(delayed, "").delay(Duration.ofHours(1)));
      assertThat(handedOver).isEmpty();

      half.commit(KEY);
      half.commit(KEY);
      half.commit(keyed);
      half.commit(delayed);

      assertThat(handedOver)
          .hasSize(3)
          .allMatch(written -> fixture().source().equals(written.source()));
      assertThat(handedOver)
          .extracting(CommittedMessages::delayed)
          .containsExactly(false, false, true);
      assertThat(handedOver.get(0).keyless())
          .singleElement()
          .satisfies(row -> assertThat(new String(row.message().payload(), UTF_8)).isEqualTo("1"))
          .satisfies(
              row ->
                  assertThat(row.position().sequence())
                      .isEqualTo(
                          fixture().number("SELECT id FROM outbox WHERE message_key IS NULL")));
      assertThat(handedOver.get(1).keyedPartitions())
          .containsExactly(
              Partitioning.DEFAULTS.ofKeyHash(
                  Partitioning.keyHash(message(keyed, "").message().destination(), "4711")));
    }

    private static Handover recording(List<CommittedMessages> handedOver) {
      return new Handover() {
        @Override
        public void committed(CommittedMessages written, Duration sinceWritten) {
          handedOver.add(written);
        }

        @Override
        public int keylessPartition(Partitioning partitioning, long random) {
          return partitioning.ofKeyless(random);
        }
      };
    }

    @Test
    default void oldOutcomesAreForgottenAndOpenMessagesKept() {
      HalfKey young = new HalfKey("order", "young");
      HalfKey remembered = new HalfKey("order", "remembered");
      HalfKey open = new HalfKey("order", "open");
      fixture().half().prepare(message(KEY, ""));
      fixture().half().commit(KEY);
      fixture().half().prepare(message(open, ""));
      fixture().half().commit(remembered, WhenUnknown.REMEMBER);
      EmptyDatabase.execute(
          fixture().dataSource,
          "UPDATE outbox_half SET created_at = '2020-01-01 00:00:00'",
          "UPDATE outbox_half SET decided_at = '2020-01-01 00:00:00' WHERE decided_at IS NOT NULL");
      fixture().half().prepare(message(young, ""));
      fixture().half().rollback(young);

      long forgotten =
          fixture().database.retention().forgetHalfMessages(Retention.HALF_MESSAGES_KEPT);

      assertThat(forgotten).isEqualTo(2);
      assertThat(fixture().half().state(KEY)).isEqualTo(HalfState.UNKNOWN);
      assertThat(fixture().half().state(remembered)).isEqualTo(HalfState.UNKNOWN);
      assertThat(fixture().half().state(open)).isEqualTo(HalfState.PREPARED);
      assertThat(fixture().half().state(young)).isEqualTo(HalfState.ROLLED_BACK);
    }

    /** However many there are: no statement takes more than a page, and each commits by itself. */
    @Test
    default void oldOutcomesAreForgottenInSmallTransactions() {
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < 1_200; i++) {
        HalfKey old = new HalfKey("order", "old-" + i);
        calls.add(new HalfCall.Prepare(message(old, "")));
        calls.add(new HalfCall.Rollback(old, WhenUnknown.REFUSE));
      }
      fixture().half().callAll(calls);
      EmptyDatabase.execute(
          fixture().dataSource,
          "UPDATE outbox_half SET created_at = '2020-01-01 00:00:00',"
              + " decided_at = '2020-01-01 00:00:00'");
      List<String> executed = new CopyOnWriteArrayList<>();
      List<Integer> deleted = new CopyOnWriteArrayList<>();
      DataSource watched =
          new ConnectionSource(
              () -> noting(fixture().dataSource.getConnection(), executed, deleted));
      JdbcDatabase database =
          JdbcDatabase.open(watched, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));

      long forgotten = database.retention().forgetHalfMessages(Retention.HALF_MESSAGES_KEPT);

      assertThat(forgotten).isEqualTo(1_200);
      assertThat(deleted).containsExactly(500, 500, 200);
      assertThat(executed).as("transactions of several statements").isEmpty();
    }

    /** However large the table is: a page is read, and its rows deleted, by the primary key. */
    @Test
    default void oldOutcomesAreFoundByThePrimaryKey() throws SQLException {
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        calls.add(new HalfCall.Prepare(message(new HalfKey("order", "old-" + i), "")));
      }
      fixture().half().callAll(calls);
      HalfDialect dialect = new HalfDialect(fixture().dialect);
      List<Long> numbers = LongStream.rangeClosed(1, 500).boxed().toList();

      try (Connection connection = fixture().dataSource.getConnection()) {
        assertThat(plan(connection, dialect.old(Duration.ofDays(7), 300)))
            .containsPattern("outbox_half_pkey|\\bPRIMARY\\b|PRIMARY_KEY")
            .doesNotContain("Seq Scan", "tableScan", " ALL ", "filesort");
        if (!(fixture().dialect instanceof PostgresDialect)) { // which scans a table so small
          assertThat(plan(connection, dialect.forget(Duration.ofDays(7), numbers)))
              .containsPattern("outbox_half_pkey|\\bPRIMARY\\b|PRIMARY_KEY")
              .doesNotContain("Seq Scan", "tableScan", " ALL ");
        }
      }
    }

    private String plan(Connection connection, Sql sql) throws SQLException {
      String explain =
          fixture().dialect instanceof MySqlFamily ? "EXPLAIN FORMAT=TRADITIONAL " : "EXPLAIN ";
      return new Sql(explain + sql.text(), sql.parameters())
          .query(
              connection,
              row -> {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                  line.append(' ').append(row.getString(i)).append(' ');
                }
                return line.toString();
              })
          .toString();
    }

    /** Notes how many rows each delete takes, and which ran in a transaction of several. */
    private static Connection noting(
        Connection connection, List<String> executed, List<Integer> deleted) {
      return proxy(
          Connection.class,
          connection,
          (method, result) -> {
            if (!method.equals("prepareStatement")) {
              return result;
            }
            return proxy(
                PreparedStatement.class,
                (PreparedStatement) result,
                (call, count) -> {
                  if (call.equals("executeUpdate") && !connection.getAutoCommit()) {
                    executed.add(String.valueOf(result));
                  }
                  if (call.equals("executeUpdate")) {
                    deleted.add((Integer) count);
                  }
                  return count;
                });
          });
    }

    /** Each once: by the list of checks, or as young ones that are not on it yet. */
    @Test
    default void undecidedOnesAreCountedByBusiness() {
      HalfKey old = new HalfKey("order", "old");
      HalfKey decided = new HalfKey("order", "decided");
      JdbcUndecided undecided = fixture().database.undecided();
      fixture().half().prepare(message(KEY, ""));
      fixture().half().prepare(message(old, ""));
      fixture().half().prepare(message(decided, ""));
      fixture().half().prepare(message(new HalfKey("bill", "1"), ""));
      fixture().half().rollback(decided);

      assertThat(undecided.count()).isEqualTo(Map.of("order", 2L, "bill", 1L));

      EmptyDatabase.execute(
          fixture().dataSource,
          "UPDATE outbox_half SET created_at = '2020-01-01 00:00:00' WHERE half_key <> 'young'");
      try (JdbcCheckStore checks = fixture().database.checkStore()) {
        checks.enter(0, Duration.ofMinutes(1));
      }
      assertThat(undecided.count()).isEqualTo(Map.of("order", 2L, "bill", 1L));

      fixture().half().prepare(message(new HalfKey("order", "young"), ""));
      fixture().half().commit(old);
      assertThat(undecided.count()).isEqualTo(Map.of("order", 2L, "bill", 1L));
      assertThat(fixture().database.undecided().count())
          .as("by another server")
          .isEqualTo(Map.of("order", 2L, "bill", 1L));
    }

    /** The numbers that were counted belong to other messages then. */
    @Test
    default void undecidedOnesOfARestoredDatabaseAreCounted() {
      JdbcUndecided undecided = fixture().database.undecided();
      fixture().half().prepare(message(KEY, ""));
      fixture().half().prepare(message(new HalfKey("bill", "1"), ""));
      EmptyDatabase.execute(
          fixture().dataSource, "UPDATE outbox_half SET created_at = '2020-01-01 00:00:00'");
      try (JdbcCheckStore checks = fixture().database.checkStore()) {
        checks.enter(0, Duration.ofMinutes(1));
      }
      assertThat(undecided.count()).isEqualTo(Map.of("order", 1L, "bill", 1L));

      EmptyDatabase.execute(
          fixture().dataSource,
          "DELETE FROM outbox_half_check",
          "DELETE FROM outbox_half WHERE half_business = 'bill'");

      assertThat(undecided.count()).isEqualTo(Map.of("order", 1L));
    }

    /** Two of them may wait for each other, whatever commits by itself. */
    @Test
    default void callThatIsEndedInFavourOfAnotherIsMadeAgain() {
      AtomicBoolean opened = new AtomicBoolean();
      DataSource crowded =
          new ConnectionSource(
              () -> {
                Connection connection = fixture().dataSource.getConnection();
                return opened.getAndSet(false) ? deadlocked(connection) : connection;
              });
      JdbcDatabase database =
          JdbcDatabase.open(crowded, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
      opened.set(true);
      try (JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE)) {
        assertThat(half.prepare(message(KEY, ""))).isEqualTo(HalfState.PREPARED);
      }

      assertThat(opened).isFalse();
    }

    private Connection deadlocked(Connection connection) {
      int code = fixture().dialect instanceof H2Dialect ? 40001 : 1213;
      String state = fixture().dialect instanceof PostgresDialect ? "40P01" : "40001";
      return proxy(
          Connection.class,
          connection,
          (method, result) -> {
            if (method.equals("prepareStatement")) {
              throw new SQLException("deadlock, as planned", state, code);
            }
            return result;
          });
    }

    @Test
    default void commitsOfOneCallAreSentInItsOrder() throws SQLException {
      List<HalfCall> prepares = new ArrayList<>();
      List<HalfCall> commits = new ArrayList<>();
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        HalfKey key = new HalfKey("order", "" + i);
        keys.add(key.key());
        prepares.add(
            new HalfCall.Prepare(
                HalfMessage.of(
                    key, Message.of("kafka:orders", new byte[1]).key("k").type(key.key()))));
        commits.add(new HalfCall.Commit(key, WhenUnknown.REFUSE));
      }
      fixture().half().callAll(prepares);

      fixture().half().callAll(commits);

      try (Connection connection = fixture().dataSource.getConnection()) {
        assertThat(
                Sql.of("SELECT message_type FROM outbox ORDER BY id")
                    .query(connection, row -> row.getString(1)))
            .isEqualTo(keys);
      }
    }

    /** Or the relay would come upon it seconds later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8_192, 8_193, 65_536, 65_537})
    default void messagesOfAnySizeAreHandedOver(int size) {
      List<CommittedMessages> handedOver = new ArrayList<>();
      JdbcHalfMessages half = fixture().with(recording(handedOver));
      half.prepare(HalfMessage.of(KEY, Message.of("kafka:orders", new byte[size])));

      half.commit(KEY);

      assertThat(handedOver)
          .singleElement()
          .satisfies(written -> assertThat(written.source()).isEqualTo(fixture().source()))
          .satisfies(
              written ->
                  assertThat(written.keyless())
                      .singleElement()
                      .satisfies(row -> assertThat(row.message().payload()).hasSize(size)));
    }

    /** Also those of a statement that commits by itself. */
    static Connection losingCommits(Connection connection) {
      return proxy(
          Connection.class,
          connection,
          (method, result) -> {
            if (method.equals("commit")) {
              throw new SQLException("the answer is lost", "08006");
            }
            boolean alone = method.equals("prepareStatement") && connection.getAutoCommit();
            return alone ? losingAnswers((PreparedStatement) result) : result;
          });
    }

    private static PreparedStatement losingAnswers(PreparedStatement statement) {
      return proxy(
          PreparedStatement.class,
          statement,
          (method, result) -> {
            if (method.startsWith("execute")) {
              throw new SQLException("the answer is lost", "08006");
            }
            return result;
          });
    }

    /** What becomes of a result. */
    interface Answer {
      Object of(String method, Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, Answer answer) {
      return type.cast(
          Proxy.newProxyInstance(
              Objects.requireNonNull(type.getClassLoader()),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                try {
                  return answer.of(method.getName(), method.invoke(target, arguments));
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class CommittedAtOncePostgres {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.postgres(), "PostgreSQL");

    private final List<HalfKey> keys =
        List.of(new HalfKey("order", "1"), new HalfKey("order", "2"), new HalfKey("order", "3"));

    @AfterEach
    void close() {
      fixture.close();
    }

    private List<HalfState> commitAll() {
      return fixture
          .half()
          .callAll(
              keys.stream()
                  .map(key -> (HalfCall) new HalfCall.Commit(key, WhenUnknown.REFUSE))
                  .toList())
          .stream()
          .map(HalfAnswer::state)
          .toList();
    }

    /** Whatever the one statement leaves alone is committed by those of every database. */
    @Test
    void whatIsNotPlainIsCommittedAsWell() {
      fixture.half().prepare(message(keys.get(0), "k"));
      fixture.half().prepare(message(keys.get(1), "k").delay(Duration.ofHours(1)));
      byte[] large = new byte[70_000];
      fixture.half().prepare(HalfMessage.of(keys.get(2), Message.of("kafka:orders", large)));
      EmptyDatabase.execute(
          fixture.dataSource, "UPDATE outbox_half SET state = 'unresolved' WHERE half_key = '1'");

      assertThat(commitAll()).containsOnly(HalfState.COMMITTED);

      assertThat(fixture.sent())
          .extracting(message -> message.payload().length)
          .containsExactlyInAnyOrder(1, 1, 70_000);
      assertThat(fixture.number("SELECT COUNT(*) FROM outbox_delayed")).isEqualTo(1);
    }

    /** Or its outcome would stand without the message. */
    @Test
    void rowThatATriggerLeavesOutFailsTheCommit() {
      keys.forEach(key -> fixture.half().prepare(message(key, "k" + key.key())));
      EmptyDatabase.execute(
          fixture.dataSource,
          """
          CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN RETURN CASE WHEN NEW.message_key = ''k2'' THEN NULL ELSE NEW END; END'
          """,
          "CREATE TRIGGER leaves_out BEFORE INSERT ON outbox"
              + " FOR EACH ROW EXECUTE FUNCTION leave_out()");

      assertThatThrownBy(this::commitAll).hasMessageContaining("a trigger left out some of 3");

      assertThat(fixture.sent()).isEmpty();
      assertThat(fixture.half().states(keys).values()).containsOnly(HalfState.PREPARED);
    }

    /** Alone, too, where no transaction could be rolled back. */
    @Test
    void rowThatATriggerLeavesOutFailsACommitThatComesAlone() {
      rowThatATriggerLeavesOutFailsTheCommit();

      assertThatThrownBy(() -> fixture.half().commit(keys.get(1)))
          .hasMessageContaining("a trigger left out some of 1");

      assertThat(fixture.half().state(keys.get(1))).isEqualTo(HalfState.PREPARED);
      assertThat(fixture.half().commit(keys.get(0))).isEqualTo(HalfState.COMMITTED);
    }
  }
}
