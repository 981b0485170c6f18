package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What every database server must do; each kind has a subclass that says which it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The server is started before the first test.
abstract class DatabaseServerContract {
  private final Server kind;
  private DatabaseServer server;

  DatabaseServerContract(Server kind) {
    this.kind = kind;
  }

  @BeforeAll
  void start() {
    server = DatabaseServer.start(kind, ServerOptions.standard().ownProcess());
  }

  @AfterAll
  void close() {
    server.close();
  }

  @Test
  void isTheProductThatWasAskedFor() throws SQLException {
    TestDatabase database = server.freshDatabase();

    try (Connection connection = database.connect()) {
      assertProduct(select(connection, "SELECT version()"));
      assertThat(connection.getMetaData().getDatabaseProductVersion()).isEqualTo(server.version());
    }
    assertThat(server.host()).isEqualTo("127.0.0.1");
  }

  @Test
  void givesEachCallerAnEmptyDatabaseOfItsOwn() throws SQLException {
    TestDatabase first = server.freshDatabase();
    TestDatabase second = server.freshDatabase();

    first.execute("CREATE TABLE t (n INT)");
    second.execute("CREATE TABLE t (n INT)");

    assertThat(first.name()).isNotEqualTo(second.name());
  }

  @Test
  void dropsADatabaseAndTellsItsNumbersBefore() throws SQLException {
    TestDatabase database = server.freshDatabase();
    database.execute("CREATE TABLE t (n INT)", "INSERT INTO t VALUES (7)");
    long number = database.number("SELECT n FROM t");

    server.drop(database);

    assertThat(number).isEqualTo(7);
    assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
  }

  @Test
  void refusesADatabaseNameThatWouldNeedQuotes() {
    assertThatThrownBy(() -> server.createDatabase("a; DROP"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a; DROP");
  }

  @Test
  void refusesAWrongPassword() {
    TestDatabase database = server.freshDatabase();
    TestDatabase wrong =
        new TestDatabase(kind, database.name(), database.url(), database.user(), "wrong");

    assertThatThrownBy(wrong::connect).isInstanceOf(SQLException.class);
  }

  @Test
  void keepsCommittedRowsThroughKillAndRestart() throws SQLException {
    TestDatabase database = server.freshDatabase();
    database.execute("CREATE TABLE t (n INT)");
    database.execute("INSERT INTO t VALUES (1)");
    long killed = server.pid().orElseThrow();
    int port = server.port();

    try (Connection open = database.connect()) {
      open.setAutoCommit(false);
      open.createStatement().execute("INSERT INTO t VALUES (2)");
      server.kill();
      assertThat(server.pid()).isEmpty();
      assertThat(ProcessHandle.of(killed)).isEmpty();
      assertThatThrownBy(() -> select(open, "SELECT 1")).isInstanceOf(SQLException.class);
    }
    server.restart();

    assertThat(server.port()).isEqualTo(port);
    try (Connection connection = database.connect()) {
      assertThat(select(connection, "SELECT SUM(n) FROM t")).isEqualTo("1");
    }
  }

  @Test
  void stopsInGoodOrderAndStartsAgain() throws SQLException {
    TestDatabase database = server.freshDatabase();
    database.execute("CREATE TABLE t (n INT)");

    server.stop();
    assertThat(server.pid()).isEmpty();
    assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
    server.restart();

    try (Connection connection = database.connect()) {
      assertThat(select(connection, "SELECT COUNT(*) FROM t")).isEqualTo("0");
    }
  }

  @Test
  void answersNothingWhilePausedAndGoesOnAfterwards() throws Exception {
    TestDatabase database = server.freshDatabase();
    try (Connection connection = database.connect()) {
      select(connection, "SELECT 1");

      server.pause();
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> selectUnchecked(connection, "SELECT 42"));
      assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();

      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("42");
    }
  }

  @Test
  void canBeKilledWhilePaused() {
    server.pause();

    server.kill();
    server.restart();

    assertThat(server.pid()).isPresent();
  }

  @Test
  void saysWhyItDoesNotStartAndLeavesNothingBehind(@TempDir Path temporary) {
    ServerOptions wrong = ServerOptions.standard().ownProcess().setting("no_such_setting", "1");
    String usual = System.setProperty("java.io.tmpdir", temporary.toString());
    try {
      assertThatThrownBy(() -> DatabaseServer.start(kind, wrong))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining(kind.title())
          .hasMessageContaining("no_such_setting");
    } finally {
      System.setProperty("java.io.tmpdir", String.valueOf(usual));
    }

    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void putsDurableCommitsOnTheDisk() throws SQLException {
    ServerOptions options = ServerOptions.standard().ownProcess().durable();
    try (DatabaseServer durable = DatabaseServer.start(kind, options);
        Connection connection = durable.freshDatabase().connect()) {
      assertDurable(connection);
    }
  }

  /** Asserts that this is what the server itself says about its version. */
  abstract void assertProduct(String version);

  /** Asserts that the server's settings make a commit survive a power cut. */
  abstract void assertDurable(Connection connection) throws SQLException;

  static String select(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  private static String selectUnchecked(Connection connection, String sql) {
    try {
      return select(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
