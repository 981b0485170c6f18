package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.inbox.InboxNumbers;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Which form a batch takes, and what becomes of one whose form was not right. */
final class InboxBatchTest {
  private static final InboxConfig CREATED = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  private static List<InboxKey> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> InboxKey.of("stock", "key-" + i)).toList();
  }

  private static JdbcInbox counted(DataSource database, InboxConfig config, List<String> executed) {
    JdbcInbox.open(database, config);
    JdbcInbox inbox =
        JdbcInbox.open(
            new ConnectionSource(() -> Counted.of(database.getConnection(), executed::add)),
            config.schemaMode(SchemaMode.NONE));
    executed.clear();
    return inbox;
  }

  private static void take(JdbcInbox inbox, List<InboxKey> keys, List<InboxKey> expected) {
    assertThat(inbox.processAll(keys, (connection, fresh) -> {}))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> takeInTurn(DataSource database, InboxConfig config) {
    List<String> executed = new ArrayList<>();
    JdbcInbox inbox = counted(database, config, executed);
    take(inbox, keys(0, 20), keys(0, 20));
    executed.add("repeats");
    take(inbox, keys(19, 40), keys(20, 40));
    executed.add("again");
    take(inbox, keys(39, 60), keys(40, 60));
    executed.add("no repeats any more");
    take(inbox, keys(60, 80), keys(60, 80));
    take(inbox, keys(80, 100), keys(80, 100));
    take(inbox, keys(0, 100), List.of());
    return executed.stream().map(InboxBatchTest::form).toList();
  }

  private static String form(String text) {
    if (!text.contains("INSERT")) {
      return text;
    }
    if (text.contains("seq_0_to")) {
      return "by sequence";
    }
    return text.contains("RETURNING consumer") || text.contains("RETURNING message_id")
        ? "careful"
        : "all new";
  }

  private static boolean isInsert(String form) {
    return List.of("all new", "by sequence", "careful").contains(form);
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void batchAfterOneWithRepeatsIsTakenCarefullyOnPostgresql() {
    assertThat(takeInTurn(EmptyDatabase.postgres(), CREATED))
        .containsExactly(
            "SAVEPOINT",
            "all new",
            "COMMIT",
            "repeats",
            "SAVEPOINT",
            "all new",
            "ROLLBACK TO SAVEPOINT",
            "careful",
            "COMMIT",
            "again",
            "careful",
            "COMMIT",
            "no repeats any more",
            "careful",
            "COMMIT",
            "SAVEPOINT",
            "all new",
            "COMMIT",
            "SAVEPOINT",
            "all new",
            "ROLLBACK TO SAVEPOINT",
            "careful",
            "COMMIT");
  }

  /** To go back would make deadlocks of those who wait for the same keys. */
  @Test
  @OnOneJdk
  @RequiresMariaDb
  void batchWithRepeatsIsOneStatementOnMariadb() {
    assertThat(takeInTurn(EmptyDatabase.mariaDb(), CREATED))
        .doesNotContain("ROLLBACK TO SAVEPOINT")
        .filteredOn(InboxBatchTest::isInsert)
        .hasSize(6)
        .containsOnly("by sequence");
  }

  /** What it does not return would be acknowledged without its work. */
  @Test
  @OnOneJdk
  @RequiresMariaDb
  void batchOfWhichADriverReturnsTooFewRowsIsAnErrorAndThenDoneInAnotherWay() {
    DataSource database = EmptyDatabase.mariaDb();
    JdbcInbox.open(database, CREATED);
    JdbcInbox inbox =
        JdbcInbox.open(
            new ConnectionSource(() -> leavingRowsOut(Connection.class, database.getConnection())),
            CREATED.schemaMode(SchemaMode.NONE));

    assertThatThrownBy(() -> take(inbox, keys(0, 20), List.of()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("returned 10 rows of 20 that were noted");
    assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM inbox")).isZero();
    take(inbox, keys(0, 20), keys(0, 20));
    take(inbox, keys(10, 30), keys(20, 30));
  }

  /** Every second one of those that a prepared statement returns. */
  private static <T> T leavingRowsOut(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            InboxBatchTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                if (method.getName().equals("next")) {
                  boolean left = ((ResultSet) target).next();
                  return left && ((ResultSet) target).next();
                }
                Object result = method.invoke(target, arguments);
                return switch (method.getName()) {
                  case "prepareStatement" ->
                      leavingRowsOut(PreparedStatement.class, (PreparedStatement) result);
                  case "getResultSet" -> leavingRowsOut(ResultSet.class, (ResultSet) result);
                  default -> result;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** The sequence engine makes tables in a database, and here the session has none. */
  @Test
  @OnOneJdk
  @RequiresMariaDb
  void inboxDoesWithoutTheSequenceEngine() throws SQLException {
    TestDatabase database = SharedServers.mariaDb().freshDatabase();
    String url = database.url().replaceFirst("/" + database.name() + "(?=$|\\?)", "/");
    assertThat(url).isNotEqualTo(database.url());
    DataSource without =
        new ConnectionSource(
            () -> DriverManager.getConnection(url, database.user(), database.password()));

    List<String> forms = takeInTurn(without, CREATED.schema(database.name()));

    assertThat(forms)
        .filteredOn(InboxBatchTest::isInsert)
        .containsExactly(
            "by sequence", "careful", "careful", "careful", "careful", "careful", "careful");
  }

  @Test
  @OnOneJdk
  @RequiresMariaDb
  void aMissingTableOfTheInboxIsNotTakenForAMissingSequenceEngine() {
    DataSource database = EmptyDatabase.mariaDb();
    List<String> executed = new ArrayList<>();
    JdbcInbox inbox = counted(database, CREATED, executed);
    EmptyDatabase.execute(database, "RENAME TABLE inbox TO away");

    assertThatThrownBy(() -> take(inbox, keys(0, 20), List.of())).hasMessageContaining("inbox");
    EmptyDatabase.execute(database, "RENAME TABLE away TO inbox");
    take(inbox, keys(0, 20), keys(0, 20));

    assertThat(executed.stream().map(InboxBatchTest::form))
        .filteredOn(InboxBatchTest::isInsert)
        .containsExactly("by sequence", "careful", "by sequence");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void sameBatchesWithARepeatDoNotDeadlockOnPostgresql() throws Exception {
    takeAtOnce(EmptyDatabase.postgres());
  }

  @Test
  @OnOneJdk
  @RequiresMariaDb
  void sameBatchesWithARepeatDoNotDeadlockOnMariadb() throws Exception {
    takeAtOnce(EmptyDatabase.mariaDb());
  }

  /** Eight consumers of the same keys, the last of which was noted before: no error at all. */
  private static void takeAtOnce(DataSource database) throws Exception {
    JdbcInbox inbox = JdbcInbox.open(database, CREATED);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 20; round++) {
        List<InboxKey> keys = keys(100 * round, 100 * round + 30);
        InboxKey last = new InboxNumbers(keys).ascending(keys).get(keys.size() - 1);
        inbox.process(last, connection -> {});
        Callable<Integer> delivery = () -> inbox.processAll(keys, (c, fresh) -> {}).size();
        int fresh = 0;
        for (Future<Integer> taken : threads.invokeAll(Collections.nCopies(8, delivery))) {
          fresh += taken.get();
        }
        assertThat(fresh).isEqualTo(keys.size() - 1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void keysAreTakenInTheOrderOfTheIndexOnPostgresql() {
    assertTakenInTheOrderOfTheIndex(EmptyDatabase.postgres(), row -> row.getObject(2, UUID.class));
  }

  @Test
  @OnOneJdk
  @RequiresMariaDb
  void keysAreTakenInTheOrderOfTheIndexOnMariadb() {
    assertTakenInTheOrderOfTheIndex(
        EmptyDatabase.mariaDb(), row -> BinaryIds.uuid(row.getBytes(2)));
  }

  /** Not as Java sorts them, ids with signs and consumers by name. */
  private static void assertTakenInTheOrderOfTheIndex(DataSource database, Sql.RowReader<UUID> id) {
    List<InboxKey> keys =
        IntStream.range(0, 100)
            .mapToObj(i -> InboxKey.of(List.of("x", "y", "stock").get(i % 3), "key-" + i))
            .toList();
    JdbcInbox.open(database, CREATED).processAll(keys, (connection, fresh) -> {});

    List<String> taken =
        new InboxNumbers(keys)
            .ascending(keys).stream().map(key -> key.consumerNumber() + " " + key.id()).toList();

    assertThat(taken).isEqualTo(ordered(database, id)).hasSize(100);
  }

  private static List<String> ordered(DataSource database, Sql.RowReader<UUID> id) {
    String index = "SELECT consumer, message_id FROM inbox ORDER BY consumer, message_id";
    try (Connection connection = database.getConnection()) {
      return Sql.of(index).query(connection, row -> row.getLong(1) + " " + id.read(row));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The insert waits for the other one, and then fails as a whole. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  void batchThatMeetsAnOpenOneNotesTheRest() throws Exception {
    DataSource database = EmptyDatabase.postgres();
    JdbcInbox inbox = JdbcInbox.open(database, CREATED);
    List<String> executed = new ArrayList<>();
    JdbcInbox other = counted(database, CREATED, executed);
    CountDownLatch waiting = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?>[] batch = new Future<?>[1];
      inbox.processAll(
          keys(0, 20),
          (connection, fresh) -> {
            batch[0] =
                thread.submit(
                    () -> {
                      waiting.countDown();
                      take(other, keys(10, 30), keys(20, 30));
                    });
            assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
            awaitALock(database);
          });
      batch[0].get(60, TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
    assertThat(executed.stream().map(InboxBatchTest::form))
        .containsExactly("SAVEPOINT", "all new", "ROLLBACK TO SAVEPOINT", "careful", "COMMIT");
  }

  private static void awaitALock(DataSource database) {
    String waiting =
        "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.datname = current_database()"
            + " JOIN pg_stat_activity a USING (pid) WHERE NOT granted AND a.datid = d.oid";
    while (EmptyDatabase.number(database, waiting) == 0) {
      LockSupport.parkNanos(10_000_000);
    }
  }
}
