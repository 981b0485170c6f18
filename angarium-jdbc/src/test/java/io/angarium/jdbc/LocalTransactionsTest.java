package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.tck.LocalTransactionsFixture;
import io.angarium.testkit.tck.LocalTransactionsTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Local transactions with markers on every database. */
final class LocalTransactionsTest {
  private static final Marker MARKER = new Marker("order", "1");

  @Nested
  final class OnH2 implements OnDatabase {
    private final JdbcFixture fixture = new JdbcFixture(EmptyDatabase.h2InMemory());

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final JdbcFixture fixture =
        new JdbcFixture(PatientDatabase.of(EmptyDatabase.postgres()));

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnDatabase {
    private final JdbcFixture fixture =
        new JdbcFixture(PatientDatabase.of(EmptiedDatabase.mariaDb()));

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OnDatabase {
    private final JdbcFixture fixture =
        new JdbcFixture(PatientDatabase.of(EmptiedDatabase.mySql()));

    @Override
    public JdbcFixture fixture() {
      return fixture;
    }
  }

  record JdbcFixture(DataSource dataSource, JdbcDatabase database)
      implements LocalTransactionsFixture<Connection> {
    /**
     * On H2 questions wait as long as their connections do, so only transactions get patient ones.
     */
    JdbcFixture(DataSource dataSource) {
      this(
          dataSource,
          JdbcDatabase.open(PatientDatabase.of(dataSource), EmptyDatabase.WITH_ALL_TABLES));
      EmptyDatabase.execute(dataSource, "CREATE TABLE line (text VARCHAR(100))");
    }

    @Override
    public LocalTransactions<Connection> local() {
      return database.localTransactions();
    }

    /** Its questions never come to the end of their time, and meet open transactions. */
    @Override
    public LocalTransactions<Connection> another() {
      return JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS, ManualClock.create())
          .localTransactions();
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

  interface OnDatabase extends LocalTransactionsTck<Connection> {
    @Override
    JdbcFixture fixture();

    @Test
    default void oldMarkersAreForgottenAndYoungOnesKept() {
      for (String key : List.of("old", "older", "young")) {
        fixture().local().run(new Marker("order", key), connection -> true);
      }
      EmptyDatabase.execute(
          fixture().dataSource(),
          "UPDATE outbox_marker SET created_at = '2020-01-01 00:00:00' WHERE marker_key LIKE"
              + " 'old%'");

      long forgotten = fixture().database().retention().forgetMarkers(Retention.MARKERS_KEPT);

      assertThat(forgotten).isEqualTo(2);
      assertThat(fixture().local().check(new Marker("order", "young")))
          .isEqualTo(Verdict.COMMITTED);
      assertThat(EmptyDatabase.number(fixture().dataSource(), "SELECT COUNT(*) FROM outbox_marker"))
          .isEqualTo(1);
    }

    /** A scan for old markers would wait for those of open transactions. */
    @Test
    default void oldMarkersAreForgottenBesideOpenTransactions() {
      fixture().local().run(new Marker("order", "old"), connection -> true);
      EmptyDatabase.execute(
          fixture().dataSource(), "UPDATE outbox_marker SET created_at = '2020-01-01 00:00:00'");

      long forgotten =
          fixture()
              .local()
              .run(
                  MARKER,
                  connection ->
                      fixture().database().retention().forgetMarkers(Retention.MARKERS_KEPT));

      assertThat(forgotten).isEqualTo(1);
      assertThat(fixture().local().check(MARKER)).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    default void connectionsComeBackAsTheyWere() throws Exception {
      try (Connection only = fixture().dataSource().getConnection()) {
        DataSource single = new ConnectionSource(() -> Unclosable.of(only));
        JdbcLocalTransactions local =
            JdbcDatabase.open(single, JdbcConfig.DEFAULTS).localTransactions();
        int isolation = only.getTransactionIsolation();
        int networkTimeout = only.getNetworkTimeout();

        local.run(MARKER, connection -> true);
        local.check(MARKER);

        assertThat(only.getAutoCommit()).isTrue();
        assertThat(only.getTransactionIsolation()).isEqualTo(isolation);
        assertThat(only.getNetworkTimeout()).isEqualTo(networkTimeout);
      }
    }

    @Test
    default void commitWithoutAnAnswerIsUnknownAndTheMarkerTellsLater() {
      DataSource lossy =
          new ConnectionSource(() -> losingCommits(fixture().dataSource().getConnection()));
      JdbcLocalTransactions local =
          JdbcDatabase.open(lossy, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE))
              .localTransactions();

      assertThatThrownBy(
              () ->
                  local.run(
                      MARKER,
                      connection -> {
                        fixture().write(connection, "a");
                        return true;
                      }))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessageContaining("order/1");
      assertThat(fixture().local().check(MARKER)).isEqualTo(Verdict.COMMITTED);
      assertThat(fixture().written()).containsExactly("a");
    }

    /** As after a deadlock that the work has swallowed. */
    @Test
    default void workThatGoesOnAfterItsTransactionWasEndedDoesNotCommit() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .local()
                      .run(
                          MARKER,
                          connection -> {
                            fixture().write(connection, "a");
                            connection.rollback();
                            fixture().write(connection, "b");
                            return true;
                          }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("order/1");
      assertThat(fixture().written()).isEmpty();
      assertThat(fixture().local().check(MARKER)).isEqualTo(Verdict.ROLLED_BACK);
    }

    /** If it cannot be rolled back, nothing that happens to the connection may commit it. */
    @Test
    default void whatCannotBeRolledBackDoesNotCommitEither() {
      assertThatItDoesNotCommit(new SQLException("planned", "08006"));
    }

    @Test
    default void norIfThePoolHasExceptionsOfItsOwn() {
      assertThatItDoesNotCommit(new IllegalStateException("planned"));
    }

    private void assertThatItDoesNotCommit(Exception ofTheRollback) {
      DataSource stuck =
          new ConnectionSource(
              () ->
                  failing(
                      fixture().dataSource().getConnection(), "rollback", false, ofTheRollback));
      JdbcLocalTransactions local =
          JdbcDatabase.open(stuck, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE))
              .localTransactions();

      assertThatThrownBy(
              () ->
                  local.run(
                      MARKER,
                      connection -> {
                        fixture().write(connection, "a");
                        throw new IOException("planned");
                      }))
          .isInstanceOf(IOException.class);
      assertThat(fixture().written()).isEmpty();
      assertThat(fixture().local().check(MARKER)).isEqualTo(Verdict.ROLLED_BACK);
    }

    private static Connection losingCommits(Connection real) {
      return failing(real, "commit", true, new SQLException("planned", "08006"));
    }

    private static Connection failing(
        Connection real, String method, boolean takesEffect, Exception thrown) {
      return (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, called, arguments) -> {
                boolean fails = called.getName().equals(method);
                try {
                  Object result = fails && !takesEffect ? null : called.invoke(real, arguments);
                  if (fails) {
                    throw thrown;
                  }
                  return result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @Test
  void databaseOutOfReachIsAVerdictForTheCheckAndAnErrorForTheTransaction() {
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
    JdbcLocalTransactions local = JdbcDatabase.open(flaky, JdbcConfig.DEFAULTS).localTransactions();
    local.run(MARKER, connection -> true);

    away[0] = true;

    assertThat(local.check(MARKER)).isEqualTo(Verdict.UNREACHABLE);
    assertThatThrownBy(() -> local.run(new Marker("order", "2"), connection -> true))
        .isInstanceOf(StoreException.class);
    away[0] = false;
    assertThat(local.check(MARKER)).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void markersAreNotForgottenTooEarly() {
    DataSource database = EmptyDatabase.h2InMemory();
    Retention retention = JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES).retention();

    assertThatThrownBy(() -> retention.forgetMarkers(Duration.ofHours(23)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("23h", "at least 3d");
    assertThatCode(() -> retention.forgetMarkers(Retention.MARKERS_KEPT_MIN))
        .doesNotThrowAnyException();
  }
}
