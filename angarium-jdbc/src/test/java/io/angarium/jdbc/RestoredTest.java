package io.angarium.jdbc;

import static io.angarium.jdbc.OldAndNew.awaitTrue;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.h2.tools.Restore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database goes back to an earlier state, on the same server: only the heartbeats that it lacks
 * tell. New messages take the places of the lost ones before the relay is back.
 */
final class RestoredTest {
  @Nested
  final class OnH2 extends Scene {
    OnH2() {
      super(EmptyDatabase.h2InMemory(), "ALTER SEQUENCE outbox_seq RESTART WITH 1");
    }
  }

  /** The file of a database comes back from its backup. */
  @Nested
  final class OnH2File extends Scene {
    private final Path folder;

    OnH2File(@TempDir Path folder) {
      super(EmptyDatabase.h2InFile(folder, "outbox"), "");
      this.folder = folder;
    }

    @Override
    void backUp() {
      super.backUp();
      EmptyDatabase.execute(origin, "BACKUP TO '%s'".formatted(zip()));
    }

    @Override
    void goBack() {
      EmptyDatabase.execute(origin, "SHUTDOWN IMMEDIATELY");
      Restore.execute(zip(), folder.toString(), "outbox");
    }

    private String zip() {
      return folder.resolve("backup.zip").toString();
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Scene {
    OnPostgres() {
      super(EmptyDatabase.postgres(), "ALTER TABLE outbox ALTER COLUMN id RESTART WITH 1");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Scene {
    OnMariaDb() {
      super(EmptyDatabase.mariaDb(), "TRUNCATE TABLE outbox");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql extends Scene {
    OnMySql() {
      super(EmptyDatabase.mySql(), "TRUNCATE TABLE outbox");
    }
  }

  /** The same on every database. */
  abstract static class Scene {
    final DataSource origin;
    private final String beginSequence;
    private final Set<Connection> opened = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private final OldAndNew messages = new OldAndNew(FakeTransport.pipelined().manual());
    private Relay relay;

    Scene(DataSource origin, String beginSequence) {
      this.origin = origin;
      this.beginSequence = beginSequence;
    }

    private Connection open() throws SQLException {
      if (down) {
        throw new SQLException("The database is down", "08001");
      }
      Connection connection = origin.getConnection();
      opened.add(connection);
      return connection;
    }

    @AfterEach
    void close() {
      relay.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {OldAndNew.OLD, 45})
    void lateAcknowledgementsDeleteNoOthers(int newOnes) throws SQLException {
      JdbcDatabase database = start();
      backUp();
      messages.sendOld(database, relay);
      messages.awaitInFlight();
      awaitHeartbeats();

      restore();
      messages.sendNew(JdbcDatabase.open(origin, JdbcConfig.DEFAULTS), newOnes);
      down = false;
      messages.acknowledge();

      messages.assertNewArrived(origin);
    }

    // #27
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "k")
    void parkedMessageThatTheBrokerHasIsSentOnce(@Nullable String key) throws SQLException {
      JdbcDatabase database = start();
      messages.send(database, relay, key);
      messages.failFirstAttempt();
      awaitTrue(() -> number("SELECT count(*) FROM outbox_parked") == 1);
      backUp();
      messages.awaitInFlight(1);
      awaitHeartbeats();

      restore();
      down = false;
      awaitTrue(() -> database.store().era() > 0); // before, it would be taken off the list
      messages.acknowledge();

      messages.assertAllArrivedOnce(origin);
    }

    private JdbcDatabase start() {
      JdbcDatabase database =
          JdbcDatabase.open(
              new ConnectionSource(this::open), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      relay = messages.start(database);
      awaitTrue(() -> number("SELECT count(*) FROM outbox_node") == 1);
      return database;
    }

    void backUp() {
      execute("CREATE TABLE backup_node AS SELECT * FROM outbox_node");
    }

    private void awaitHeartbeats() {
      awaitTrue(() -> heartbeatsSince("backup_node") == 1);
      // the one before the last has been acknowledged and noted
      execute("CREATE TABLE later_node AS SELECT * FROM outbox_node");
      awaitTrue(() -> heartbeatsSince("later_node") == 1);
    }

    private long heartbeatsSince(String copy) {
      return number(
          "SELECT count(*) FROM outbox_node n, %s c WHERE n.expires_at > c.expires_at"
              .formatted(copy));
    }

    private void restore() throws SQLException {
      down = true;
      for (Connection connection : opened) {
        connection.abort(Runnable::run);
      }
      goBack();
    }

    void goBack() {
      execute(
          "DELETE FROM outbox",
          beginSequence,
          "DELETE FROM outbox_node",
          "INSERT INTO outbox_node SELECT * FROM backup_node");
    }

    private void execute(String... statements) {
      EmptyDatabase.execute(origin, statements);
    }

    private long number(String sql) {
      return EmptyDatabase.number(origin, sql);
    }
  }
}
