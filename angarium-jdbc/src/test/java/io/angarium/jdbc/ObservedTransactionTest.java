package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.dialect.mysql.MySqlSessionSql;
import io.angarium.jdbc.internal.sql.ObservedTransaction;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever ends the transaction of the inbox in the middle of the work is noticed. */
@OnOneJdk
final class ObservedTransactionTest {
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements Observing {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements Observing {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }

    /** As its driver's before 8.2. */
    @Test
    void savepointIsReleasedByTheServerWhateverTheDriverDoes() {
      inbox();
      JdbcInbox inbox =
          JdbcInbox.open(
              new ConnectionSource(() -> releasingNothing(database.getConnection())),
              InboxConfig.DEFAULTS);

      assertRolledBack(
          inbox,
          connection -> {
            connection.rollback();
            Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
          });
    }

    private static Connection releasingNothing(Connection connection) {
      return Counted.proxy(
          Connection.class,
          (proxy, method, arguments) ->
              method.getName().equals("releaseSavepoint")
                  ? null
                  : Counted.invoke(method, connection, arguments));
    }

    /** Nothing else can be asked before the last row. */
    @Test
    void errorOfTheDriverMayBeSwallowedWhileAResultIsStreamed() {
      JdbcInbox inbox = inbox();

      assertThatCode(
              () ->
                  inbox.process(
                      KEY,
                      connection -> {
                        try (Statement statement = connection.createStatement()) {
                          statement.setFetchSize(Integer.MIN_VALUE);
                          ResultSet rows = statement.executeQuery("SELECT id FROM line");
                          rows.next();
                          assertThatThrownBy(() -> rows.getInt(99))
                              .isInstanceOf(SQLException.class);
                          rows.close();
                        }
                      }))
          .doesNotThrowAnyException();
    }
  }

  /** The ways in which work can end its transaction, each without an error. */
  private static Map<String, InboxWork<Connection, SQLException>> endings() {
    Map<String, InboxWork<Connection, SQLException>> endings = new LinkedHashMap<>();
    endings.put("rollback", Connection::rollback);
    endings.put("commit", Connection::commit);
    endings.put("text", connection -> run(connection, "ROLLBACK"));
    endings.put("prepared text", connection -> Sql.of("\n rollback").run(connection));
    endings.put("called text", connection -> run(connection, "/* a */ CALL ending()"));
    endings.put("table", connection -> run(connection, "CREATE TABLE other (id INT)"));
    endings.put("call", ObservedTransactionTest::call);
    endings.put("batch", ObservedTransactionTest::batch);
    endings.put("unwrapped", connection -> connection.unwrap(Connection.class).rollback());
    endings.put("statement", ObservedTransactionTest::rollBackByStatement);
    endings.put("rows", ObservedTransactionTest::rollBackByRows);
    endings.put("data", connection -> connection.getMetaData().getConnection().rollback());
    return endings;
  }

  private static void run(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private static void call(Connection connection) throws SQLException {
    try (CallableStatement call = connection.prepareCall("{call ending()}")) {
      call.execute();
    }
  }

  private static void batch(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO line VALUES (7, 0)");
      statement.addBatch("ROLLBACK");
      statement.executeBatch();
    }
  }

  private static void rollBackByStatement(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
      statement.getConnection().rollback();
    }
  }

  private static void rollBackByRows(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1")) {
      rows.getStatement().getConnection().rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollback",
        "commit",
        "text",
        "prepared text",
        "table",
        "batch",
        "unwrapped",
        "statement",
        "rows",
        "data"
      })
  void workThatEndsItsTransactionOfTheOutboxAndGoesOnSendsNothingOnH2(String way) {
    DataSource database = EmptyDatabase.h2InMemory();
    EmptyDatabase.execute(database, "CREATE TABLE line (id INT PRIMARY KEY, amount INT)");
    JdbcOutbox outbox =
        JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
            .outbox(MessageIntake.of(null), Handover.NONE);

    assertThatThrownBy(
            () ->
                outbox.inTransaction(
                    (connection, messages) -> {
                      run(connection, "SET @angarium = 1"); // nothing to lose yet
                      Sql.of("INSERT INTO line VALUES (1, 0)").run(connection);
                      endings().get(way).in(connection);
                      Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
                      return messages.send(Message.of("kafka:orders", new byte[] {1}));
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has ended it in the middle");

    assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM line WHERE id = 9")).isZero();
    assertThat(EmptyDatabase.number(database, "SELECT COUNT(*) FROM outbox")).isZero();
  }

  /** A connection that learns by its first savepoint that its transaction is gone. */
  private static Connection renewed(List<String> calls) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if (method.getName().equals("setSavepoint") && calls.size() == 1) {
                throw new SQLException("In progress transaction was lost", "25S03");
              }
              return method.getReturnType() == boolean.class ? false : null;
            });
  }

  @Test
  void savepointThatFailsFailsTheEndOnlyThoughTheNextOneCanBeSet() {
    List<String> calls = new ArrayList<>();
    ObservedTransaction transaction =
        new ObservedTransaction(
            renewed(calls), true, (c, failure) -> false, MySqlSessionSql::savepoint);

    assertThatCode(
            () -> {
              transaction.connection().setAutoCommit(false);
              transaction.connection().setAutoCommit(false);
            })
        .doesNotThrowAnyException();

    assertThatThrownBy(transaction::end).hasMessageContaining("was lost");
  }

  /** It hides what it learns. */
  @Test
  void connectionIsAskedForItsValidityAfterASavepoint() throws SQLException {
    List<String> calls = new ArrayList<>();
    ObservedTransaction transaction =
        new ObservedTransaction(
            renewed(calls), true, (c, failure) -> false, MySqlSessionSql::savepoint);

    transaction.connection().isValid(1);

    assertThat(calls).containsExactly("setSavepoint", "isValid");
    assertThatThrownBy(transaction::end).hasMessageContaining("was lost");
  }

  interface Observing {
    DataSource database();

    default JdbcInbox inbox() {
      DataSource database = database();
      EmptyDatabase.execute(database, "CREATE TABLE line (id INT PRIMARY KEY, amount INT)");
      EmptyDatabase.execute(database, "INSERT INTO line VALUES (1, 0), (2, 0)");
      return JdbcInbox.open(database, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    default void assertRolledBack(JdbcInbox inbox, InboxWork<Connection, SQLException> work) {
      assertThatThrownBy(() -> inbox.process(KEY, work))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("stock/", "ended its transaction");
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM line WHERE id = 9"))
          .isZero();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "rollback",
          "commit",
          "text",
          "prepared text",
          "called text",
          "table",
          "call",
          "batch",
          "unwrapped",
          "statement",
          "rows",
          "data"
        })
    default void workThatEndsItsTransactionAndGoesOnDoesNotCommit(String way) {
      JdbcInbox inbox = inbox();
      EmptyDatabase.execute(database(), "CREATE PROCEDURE ending() ROLLBACK");

      assertRolledBack(
          inbox,
          connection -> {
            endings().get(way).in(connection);
            Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
          });
    }

    @Test
    default void victimOfADeadlockThatGoesOnDoesNotCommit() throws Exception {
      JdbcInbox inbox = inbox();
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try (Connection other = heavy()) {
        assertRolledBack(
            inbox,
            connection -> {
              Sql.of("UPDATE line SET amount = 1 WHERE id = 1").run(connection);
              Future<?> waiting =
                  thread.submit(() -> Sql.of("DELETE FROM line WHERE id = 1").run(other));
              assertThatThrownBy(
                      () -> Sql.of("UPDATE line SET amount = 1 WHERE id = 2").run(connection))
                  .isInstanceOf(SQLException.class)
                  .hasMessageContaining("Deadlock");
              assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
              Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
            });
        other.rollback();
      } finally {
        thread.shutdownNow();
      }
      assertThat(inbox.process(KEY, connection -> {})).isTrue();
    }

    /** A transaction that has the second row, and has changed more than one which is to lose. */
    private Connection heavy() throws SQLException {
      Connection other = database().getConnection();
      other.setAutoCommit(false);
      for (int i = 100; i < 200; i++) {
        Sql.of("INSERT INTO line VALUES (?, 0)", i).run(other);
      }
      Sql.of("DELETE FROM line WHERE id = 2").run(other);
      return other;
    }

    @Test
    default void errorThatLeavesTheTransactionMayBeSwallowed() {
      JdbcInbox inbox = inbox();

      assertThatCode(
              () ->
                  inbox.process(
                      KEY,
                      connection -> {
                        Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
                        assertThatThrownBy(
                                () -> Sql.of("INSERT INTO line VALUES (1, 0)").run(connection))
                            .isInstanceOf(SQLException.class);
                        assertThatThrownBy(() -> run(connection, "SELECT * FROM nowhere"))
                            .isInstanceOf(SQLException.class);
                      }))
          .doesNotThrowAnyException();

      assertThat(inbox.process(KEY, connection -> {})).isFalse();
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM line WHERE id = 9"))
          .isOne();
    }

    @Test
    default void workMayGoBackToASavepointOfItsOwn() throws SQLException {
      JdbcInbox inbox = inbox();

      boolean processed =
          inbox.process(
              KEY,
              connection -> {
                Savepoint own = connection.setSavepoint("own");
                run(connection, "DELETE FROM line");
                run(connection, "SET @angarium = 1"); // watched from here on, if not before
                connection.rollback(own);
                Sql.of("INSERT INTO line VALUES (9, 0)").run(connection);
              });

      assertThat(processed).isTrue();
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM line")).isEqualTo(3);
    }
  }
}
