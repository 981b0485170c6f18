package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.NoTransactionException;
import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.InboxFixture;
import io.angarium.testkit.tck.InboxTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The inbox on every database. */
final class JdbcInboxTest {
  private static final InboxConfig CREATED = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  /** Its sessions would wait for a minute by themselves. */
  @Nested
  final class OnH2 implements EndingTransactions {
    private final JdbcFixture fixture =
        new JdbcFixture(EmptyDatabase.h2InMemory(";LOCK_TIMEOUT=60000"), CREATED);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }

    @Override
    public void makeOld() {
      EmptyDatabase.execute(
          fixture.dataSource(), "UPDATE inbox SET processed_at = processed_at - INTERVAL '15' DAY");
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Rotating {
    private final JdbcFixture fixture =
        new JdbcFixture(EmptyDatabase.silentPostgres(), CREATED).withoutDeadlocks();

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }

    @Override
    public void makeOld() {
      EmptyDatabase.execute(
          fixture.dataSource(),
          "UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL '15 days'");
    }

    /** With another driver, or where the connection hides it. */
    @Test
    void errorThatTheWorkSwallowsIsNoSuccessWithAnyDriver() {
      DataSource hidden = Hidden.of(fixture.dataSource());
      JdbcInbox inbox = JdbcInbox.open(hidden, CREATED);

      assertThatThrownBy(
              () ->
                  inbox.process(
                      KEY,
                      connection -> {
                        fixture.write(connection, "a");
                        Swallowed.error(connection);
                      }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the work swallowed another such error");
      assertThat(fixture.written()).isEmpty();
    }

    @Test
    void transactionThatKeepsItsFirstSnapshotIsRefused() throws SQLException {
      try (Connection connection = fixture.dataSource().getConnection()) {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);

        assertThatThrownBy(() -> fixture.inbox().on(connection).process(KEY, c -> {}))
            .isInstanceOf(StoreException.class)
            .hasMessageContainingAll("READ COMMITTED", "repeatable read");
        connection.rollback();
        assertThatThrownBy(
                () -> fixture.inbox().on(connection).processAll(List.of(KEY), (c, fresh) -> {}))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("READ COMMITTED");
        connection.rollback();
      }
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnMySqlFamily {
    private final JdbcFixture fixture =
        new JdbcFixture(EmptyDatabase.mariaDb(), CREATED).withoutDeadlocks();

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OnMySqlFamily {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.mySql(), CREATED);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class TellingOnH2 implements Telling, InboxTck<Connection> {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.h2InMemory(), TELLING);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class TellingOnPostgres implements Telling, InboxTck<Connection> {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.postgres(), TELLING);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class TellingOnMariaDb implements Telling, InboxTck<Connection> {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.mariaDb(), TELLING);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class TellingOnMySql implements Telling { // waits a second each time, so without the suite
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.mySql(), TELLING);

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  record JdbcFixture(
      DataSource dataSource, InboxConfig config, JdbcInbox inbox, boolean batchesOnlyWait)
      implements InboxFixture<Connection> {
    JdbcFixture(DataSource dataSource, InboxConfig config) {
      this(dataSource, config, JdbcInbox.open(dataSource, config), false);
      EmptyDatabase.execute(dataSource, "CREATE TABLE line (text VARCHAR(100))");
    }

    @Override
    public JdbcInbox another() {
      return JdbcInbox.open(dataSource, config);
    }

    @Override
    public JdbcInbox impatient() {
      return JdbcInbox.open(
          dataSource, config.whenBusy(WhenBusy.WAIT).waitMax(Duration.ofSeconds(1)));
    }

    /** As the documentation promises for PostgreSQL and MariaDB. */
    JdbcFixture withoutDeadlocks() {
      return new JdbcFixture(dataSource, config, inbox, true);
    }

    @Override
    public void write(Connection transaction, String line) {
      try {
        Sql.of("INSERT INTO line VALUES (?)", line).run(transaction);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void swallowError(Connection transaction) {
      Swallowed.error(transaction);
    }

    @Override
    public List<String> written() {
      try (Connection connection = dataSource.getConnection()) {
        return Sql.of("SELECT text FROM line").query(connection, row -> row.getString(1));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      // every call gives its connection back
    }
  }

  /** Of two at once one is told. */
  interface Telling {
    InboxConfig TELLING = CREATED.whenBusy(WhenBusy.TELL);

    JdbcFixture fixture();

    @Test
    default void anotherDeliveryIsToldAtOnce() {
      fixture()
          .inbox()
          .process(
              KEY,
              open -> {
                assertThatThrownBy(() -> fixture().another().process(KEY, c -> {}))
                    .isInstanceOf(ConcurrentDeliveryException.class)
                    .hasMessageContaining("stock/");
                assertThatThrownBy(
                        () -> fixture().another().processAll(List.of(KEY), (c, fresh) -> {}))
                    .isInstanceOf(ConcurrentDeliveryException.class);
              });

      assertThat(fixture().another().process(KEY, c -> {})).isFalse();
    }

    @Test
    default void otherStatementsWaitForLocksAsBefore() throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        connection.setAutoCommit(false);
        String before = lockTimeout(connection);

        fixture().inbox().on(connection).process(KEY, c -> {});
        fixture()
            .inbox()
            .on(connection)
            .processAll(List.of(InboxKey.of("stock", "2")), (c, fresh) -> {});

        assertThat(lockTimeout(connection)).isEqualTo(before);
        connection.rollback();
      }
    }

    static String lockTimeout(Connection connection) throws SQLException {
      String sql =
          switch (connection.getMetaData().getDatabaseProductName()) {
            case "H2" -> "CALL LOCK_TIMEOUT()";
            case "PostgreSQL" -> "SHOW lock_timeout";
            default -> "SELECT @@innodb_lock_wait_timeout";
          };
      return Sql.of(sql).query(connection, row -> row.getString(1)).get(0);
    }
  }

  interface OnDatabase extends InboxTck<Connection> {
    @Override
    JdbcFixture fixture();

    @Test
    default void statementThatIsAllTheWorkDoesNotWaitWithoutAnEnd() {
      String insert =
          EmptyDatabase.isPostgres(fixture().dataSource())
              ? "INSERT INTO line SELECT ? WHERE :fresh"
              : "INSERT INTO line SELECT ? FROM DUAL WHERE :fresh";
      JdbcInbox impatient = fixture().impatient();
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        fixture()
            .inbox()
            .process(
                KEY,
                open ->
                    assertThat(thread.submit(() -> impatient.update(KEY, insert, "again")))
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(OutboxException.class));
      } finally {
        thread.shutdownNow();
      }
      assertThat(impatient.update(KEY, insert, "again")).isEmpty();
      assertThat(impatient.update(InboxKey.of("stock", "2"), insert, "b")).hasValue(1);
      assertThat(fixture().written()).containsExactly("b");
    }

    /** Neither the limit of the inbox nor a longer one of the connection is left behind. */
    @Test
    default void workWaitsForLocksAsLongAsTheConnectionSays() throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        connection.setAutoCommit(false);
        ConnectionInbox inbox = fixture().impatient().on(connection);
        String before = Telling.lockTimeout(connection);
        List<String> within = new ArrayList<>();

        inbox.process(KEY, c -> within.add(Telling.lockTimeout(connection)));
        inbox.process(KEY, c -> {});
        within.add(Telling.lockTimeout(connection));
        for (int size : new int[] {2, 40}) {
          List<InboxKey> keys =
              IntStream.range(0, size).mapToObj(i -> InboxKey.of("stock", size + "-" + i)).toList();
          inbox.processAll(keys, (c, fresh) -> within.add(Telling.lockTimeout(connection)));
          inbox.processAll(keys, (c, fresh) -> {});
          within.add(Telling.lockTimeout(connection));
        }

        assertThat(within).hasSize(6).containsOnly(before);
        connection.rollback();
      }
    }

    /** As if what was noted, and the last rotation, were longer ago than anything is kept. */
    void makeOld();

    @Test
    default void notesOfATransactionOfTheCallerGoWithIt() throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        connection.setAutoCommit(false);
        JdbcInbox inbox = fixture().inbox();
        assertThat(inbox.on(connection).process(KEY, c -> fixture().write(c, "a"))).isTrue();
        connection.rollback();
        assertThat(inbox.on(connection).process(KEY, c -> fixture().write(c, "b"))).isTrue();
        connection.commit();
        assertThat(inbox.on(connection).process(KEY, c -> fixture().write(c, "c"))).isFalse();
        connection.rollback();
      }
      assertThat(fixture().written()).containsExactly("b");
    }

    @Test
    default void whatIsOldIsForgottenAndWhatIsYoungIsNot() {
      JdbcInbox inbox = fixture().inbox();
      inbox.process(KEY, c -> {});
      makeOld();
      inbox.rotate();
      makeOld();
      inbox.process(InboxKey.of("stock", "young"), c -> {});
      inbox.rotate();

      assertThat(inbox.process(KEY, c -> fixture().write(c, "again"))).isTrue();
      assertThat(inbox.process(InboxKey.of("stock", "young"), c -> {})).isFalse();
    }

    @Test
    default void connectionThatCommitsEachStatementIsRefused() throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        ConnectionInbox inbox = fixture().inbox().on(connection);
        assertThatThrownBy(() -> inbox.process(KEY, c -> {}))
            .isInstanceOf(NoTransactionException.class)
            .hasMessageContainingAll("autoCommit", "stock/");
        assertThatThrownBy(() -> inbox.processAll(List.of(KEY), (c, fresh) -> {}))
            .isInstanceOf(NoTransactionException.class);
      }
      assertThat(fixture().inbox().process(KEY, c -> {})).isTrue();
    }

    /** Messages that are new lie behind all others; what one batch locks there stops the next. */
    @Test
    default void openBatchWithARepeatHoldsUpNoOtherMessage() throws Exception {
      JdbcInbox inbox = fixture().inbox();
      inbox.processAll(List.of(id(1), id(2)), (c, fresh) -> {});
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        inbox.processAll(
            List.of(id(1), id(10)),
            (open, fresh) -> {
              Future<Set<InboxKey>> batch =
                  threads.submit(() -> inbox.processAll(List.of(id(2), id(11)), (c, f) -> {}));
              Future<Boolean> single = threads.submit(() -> inbox.process(id(12), c -> {}));
              assertThat(batch).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(Set.of(id(11)));
              assertThat(single).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(true);
            });
      } finally {
        threads.shutdownNow();
      }
    }

    private static InboxKey id(long low) {
      return new InboxKey("stock", new UUID(0x01a2_0000_0000_7000L, low));
    }

    @Test
    default void rotationWaitsUntilItIsTime() {
      assertThat(fixture().inbox().rotate()).isFalse();
    }

    @Test
    default void tablesMayHaveOtherNames() {
      JdbcInbox other = JdbcInbox.open(fixture().dataSource(), CREATED.tables("mail_in"));
      fixture().inbox().process(KEY, c -> {});

      assertThat(other.process(KEY, c -> {})).isTrue();
      assertThat(other.process(KEY, c -> {})).isFalse();
      assertThat(EmptyDatabase.number(fixture().dataSource(), "SELECT COUNT(*) FROM mail_in"))
          .isEqualTo(1);
    }

    @Test
    default void tablesOfAnEarlierOrACompatibleLaterVersionAreRight() {
      DataSource database = fixture().dataSource();
      JdbcInbox.open(database, CREATED.tables("mail_in"));
      String recorded = "SELECT version FROM mail_in_feature WHERE feature = 'INBOX'";
      EmptyDatabase.execute(database, "DROP TABLE mail_in_feature"); // as those of 0.1

      JdbcInbox.open(database, InboxConfig.DEFAULTS.tables("mail_in"));
      JdbcInbox.open(database, CREATED.tables("mail_in"));
      assertThat(EmptyDatabase.number(database, recorded)).isEqualTo(2);
      EmptyDatabase.execute(database, "UPDATE mail_in_feature SET version = 9, works_from = 2");
      JdbcInbox.open(database, CREATED.tables("mail_in"));
      assertThat(EmptyDatabase.number(database, recorded)).isEqualTo(9);
      EmptyDatabase.execute(database, "UPDATE mail_in_feature SET version = 9, works_from = 3");
      assertThatThrownBy(() -> JdbcInbox.open(database, CREATED.tables("mail_in")))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("feature inbox: version 9, which works with code of version 3");
    }

    @Test
    default void missingTablesStopTheStart() {
      assertThatThrownBy(
              () -> JdbcInbox.open(fixture().dataSource(), InboxConfig.DEFAULTS.tables("nowhere")))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll(
              "feature inbox: none of its tables is in ",
              "(expected: nowhere, nowhere_",
              "V1__inbox.sql",
              "angarium.inbox.schema-mode=create");
    }
  }

  /** Two tables that change names. */
  interface Rotating extends OnDatabase {
    @Test
    default void whatWasProcessedIsKnownForAWholePeriod() {
      JdbcInbox inbox = fixture().inbox();
      Set<InboxKey> keys = Set.of(KEY, InboxKey.of("shop", "2"));
      for (int i = 0; i < 10; i++) { // drivers prepare what is run again and again
        inbox.process(InboxKey.of("stock", "before-" + i), c -> {});
        inbox.processAll(List.of(InboxKey.of("stock", "in-batch-" + i)), (c, fresh) -> {});
      }
      assertThat(inbox.processAll(keys, (c, fresh) -> {})).isEqualTo(keys);

      makeOld();
      assertThat(inbox.rotate()).isTrue();
      assertThat(inbox.rotate()).as("at once again").isFalse();

      assertThat(inbox.process(KEY, c -> {})).isFalse();
      InboxKey fresh = InboxKey.of("stock", "fresh");
      List<InboxKey> mixed = List.of(KEY, fresh, InboxKey.of("shop", "2"));
      assertThat(inbox.processAll(mixed, (c, ran) -> {})).containsExactly(fresh);
      assertThat(inbox.processAll(mixed, (c, ran) -> {})).isEmpty();
    }

    @Test
    default void openTransactionIsWaitedForAndRotationIsTriedAgain() {
      makeOld();
      fixture()
          .inbox()
          .process(
              KEY,
              open ->
                  assertThatThrownBy(() -> fixture().another().rotate())
                      .isInstanceOf(StoreException.class));

      assertThat(fixture().another().rotate()).isTrue();
      assertThat(fixture().inbox().process(KEY, c -> {})).isFalse();
    }

    /** Two deliveries and a rotation at the same moment, again and again. */
    @Test
    default void noDeliverySlipsThroughARotation() throws Exception {
      CyclicBarrier start = new CyclicBarrier(5);
      ExecutorService threads = Executors.newFixedThreadPool(5);
      try {
        int rotations = 0;
        for (int i = 0; i < 40; i++) {
          InboxKey key = InboxKey.of("stock", "race-" + i);
          makeOld();
          Future<Boolean> rotated = threads.submit(() -> rotate(start));
          List<Future<Boolean>> deliveries = new ArrayList<>();
          for (int j = 0; j < 4; j++) {
            boolean batch = j % 2 == 0;
            deliveries.add(threads.submit(() -> deliver(start, key, batch)));
          }
          int ran = 0;
          for (Future<Boolean> delivery : deliveries) {
            ran += delivery.get(60, TimeUnit.SECONDS) ? 1 : 0;
          }
          rotations += rotated.get(60, TimeUnit.SECONDS) ? 1 : 0;

          assertThat(ran).as("round " + i).isEqualTo(1);
        }
        assertThat(rotations).isGreaterThan(5);
        assertThat(fixture().written())
            .containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, 40)
                    .mapToObj(i -> InboxKey.of("stock", "race-" + i).toString())
                    .toList());
      } finally {
        threads.shutdownNow();
      }
    }

    private boolean rotate(CyclicBarrier start) throws Exception {
      start.await(30, TimeUnit.SECONDS);
      try {
        return fixture().inbox().rotate();
      } catch (StoreException e) {
        return false;
      }
    }

    private boolean deliver(CyclicBarrier start, InboxKey key, boolean batch) throws Exception {
      start.await(30, TimeUnit.SECONDS);
      while (true) {
        try {
          return batch
              ? !fixture()
                  .inbox()
                  .processAll(List.of(key), (c, fresh) -> fixture().write(c, key.toString()))
                  .isEmpty()
              : fixture().inbox().process(key, c -> fixture().write(c, key.toString()));
        } catch (ConcurrentDeliveryException e) {
          // comes again
        }
      }
    }
  }

  /** As victims of a deadlock; where an error ends the work, too, that cannot be. */
  interface EndingTransactions extends OnDatabase {
    @Test
    default void workThatGoesOnAfterItsTransactionWasEndedDoesNotCommit() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .inbox()
                      .process(
                          KEY,
                          connection -> {
                            connection.rollback();
                            fixture().write(connection, "a");
                          }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("stock/");
      assertThat(fixture().written()).isEmpty();
    }
  }

  interface OnMySqlFamily extends Rotating, EndingTransactions {
    @Override
    default void makeOld() {
      EmptyDatabase.execute(
          fixture().dataSource(),
          "UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL 15 DAY");
    }

    /** The default there, in which a transaction keeps its first snapshot. */
    @Test
    default void transactionWithAnOldSnapshotSeesWhatWasProcessedBeforeTheRotation()
        throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        Sql.of("SELECT COUNT(*) FROM line").run(connection); // takes the snapshot
        fixture().inbox().process(KEY, c -> {});
        makeOld();
        assertThat(fixture().inbox().rotate()).isTrue();

        assertThat(fixture().inbox().on(connection).process(KEY, c -> {})).isFalse();
        connection.rollback();
      }
    }

    @Test
    default void transactionWithAnOldSnapshotProcessesWhatIsNew() throws SQLException {
      try (Connection connection = fixture().dataSource().getConnection()) {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        Sql.of("SELECT COUNT(*) FROM line").run(connection); // takes the snapshot
        makeOld();
        assertThat(fixture().inbox().rotate()).isTrue();

        assertThat(fixture().inbox().on(connection).process(KEY, c -> {})).isTrue();
        connection.commit();
      }
      assertThat(fixture().inbox().process(KEY, c -> {})).isFalse();
    }
  }

  /** The victim of a deadlock writes on, while another delivery has processed the message. */
  @Test
  void noteOfAnotherDeliveryIsNotTakenForOnesOwn() {
    JdbcFixture fixture = new JdbcFixture(EmptyDatabase.h2InMemory(), CREATED);

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        KEY,
                        connection -> {
                          connection.rollback();
                          fixture.another().process(KEY, c -> fixture.write(c, "other"));
                          fixture.write(connection, "rest");
                        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ended its transaction");
    assertThat(fixture.written()).containsExactly("other");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void dataSourceThatKeepsItsFirstSnapshotStopsTheStart() {
    DataSource plain = EmptyDatabase.postgres();
    DataSource strict =
        new ConnectionSource(
            () -> {
              Connection connection = plain.getConnection();
              connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
              return connection;
            });

    assertThatThrownBy(() -> JdbcInbox.open(strict, CREATED))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("READ COMMITTED");
  }

  @Test
  void retentionMustBeLongerThanWhatCanComeAgain() {
    assertThatThrownBy(() -> InboxConfig.DEFAULTS.retention(Duration.ofDays(7), Duration.ofDays(7)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("inbox.retention", "7d", "longer than inbox.replay-window");
  }

  @Test
  void rotationGoesOnByItself() {
    DataSource database = EmptyDatabase.h2InMemory();
    JdbcInbox inbox = JdbcInbox.open(database, CREATED);
    inbox.process(KEY, c -> {});
    EmptyDatabase.execute(
        database, "UPDATE inbox SET processed_at = processed_at - INTERVAL '15' DAY");

    InboxRotation rotation = InboxRotation.start(inbox, Duration.ofMillis(5));
    try (rotation) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (EmptyDatabase.number(database, "SELECT COUNT(*) FROM inbox") > 0) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(10_000_000);
      }
    }
    rotation.close();
  }
}
