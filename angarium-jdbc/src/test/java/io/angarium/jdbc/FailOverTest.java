package io.angarium.jdbc;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.Thorough;
import java.sql.DriverManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server takes over that lacks the last transactions; new messages take their places. */
final class FailOverTest {
  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends TakeOver {
    OnPostgres() {
      super(Server.POSTGRESQL);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends TakeOver {
    OnMariaDb() {
      super(Server.MARIADB);
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class OnMySql extends TakeOver {
    OnMySql() {
      super(Server.MYSQL);
    }
  }

  /** The same on every server. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class TakeOver {
    private final Server kind;
    private final Map<String, TestDatabase> databases = new HashMap<>();
    private DatabaseServer first;
    private DatabaseServer replica;
    private FaultProxy proxy;
    private JdbcDatabase database;
    private OldAndNew messages;
    private Relay relay;

    TakeOver(Server kind) {
      this.kind = kind;
    }

    /** All of them lie on both servers: to copy one takes seconds. */
    @BeforeAll
    void copy() {
      first = DatabaseServer.start(kind, ServerOptions.standard().ownProcess());
      for (String name : List.of("acks10", "acks20", "acks45", "fails10", "fails45", "alive")) {
        TestDatabase created = first.createDatabase(name);
        JdbcDatabase.open(
            new ConnectionSource(created::connect),
            JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
        databases.put(name, created);
      }
      replica = first.promotedCopy();
      if (kind != Server.POSTGRESQL) { // those who may do everything write there all the same
        String[] app = {"CREATE USER app IDENTIFIED BY 'app'", "GRANT ALL ON alive.* TO app"};
        sql(first, app);
        sql(replica, app);
        TestDatabase alive = databases.get("alive");
        databases.put("alive", new TestDatabase(kind, "alive", alive.url(), "app", "app"));
      }
      OldAndNew.awaitTrue(() -> writable(replica));
    }

    private static boolean writable(DatabaseServer server) {
      return server.server() != Server.POSTGRESQL
          || EmptyDatabase.number(
                  source(server, server.jdbcUrl("postgres")),
                  "SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END")
              == 1;
    }

    private static ConnectionSource source(DatabaseServer server, String url) {
      return new ConnectionSource(
          () -> DriverManager.getConnection(url, server.user(), server.password()));
    }

    @AfterAll
    void stop() {
      replica.close();
      first.close();
    }

    @AfterEach
    void close() {
      relay.close();
      proxy.close();
    }

    private void start(String name, FakeTransport transport) {
      proxy = FaultProxy.to(first);
      TestDatabase through = databases.get(name).through(proxy);
      database = JdbcDatabase.open(new ConnectionSource(through::connect), JdbcConfig.DEFAULTS);
      messages = new OldAndNew(transport);
      relay = messages.start(database);
      messages.sendOld(database, relay);
    }

    /** The old server is cut off; other processes write to the new one before the relay looks. */
    private void takeOver(String name, int newOnes) {
      proxy.refuse();
      sendToReplica(name, newOnes);
      proxy.leadTo(replica);
      proxy.heal();
    }

    private void sendToReplica(String name, int newOnes) {
      messages.sendNew(JdbcDatabase.open(onReplica(name), JdbcConfig.DEFAULTS), newOnes);
    }

    private DataSource onReplica(String name) {
      return source(replica, replica.jdbcUrl(name));
    }

    /** Fewer than were lost, as many, and more: then their sequence has passed the old one. */
    @ParameterizedTest
    @ValueSource(ints = {10, OldAndNew.OLD, 45})
    void lateAcknowledgementsDeleteNoOthers(int newOnes) {
      String name = "acks" + newOnes;
      start(name, FakeTransport.pipelined().manual());
      messages.awaitInFlight();

      takeOver(name, newOnes);
      messages.acknowledge();

      messages.assertNewArrived(onReplica(name));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 45})
    void lateFailuresParkNoOthers(int newOnes) {
      String name = "fails" + newOnes;
      start(name, FakeTransport.pipelined().manual().failNext(OldAndNew.OLD));
      messages.awaitInFlight();

      takeOver(name, newOnes);
      messages.acknowledge();

      messages.assertNewArrived(onReplica(name));
    }

    /** Its connections are not cut, and it answers questions for ever. */
    @Test
    void readsDoNotStayOnAnOldServerThatTakesNoWrites() {
      start("alive", FakeTransport.pipelined());
      messages.awaitOldArrived();

      proxy.leadTo(replica);
      sql(first, readOnly(true));
      try {
        sendToReplica("alive", 10);
        messages.assertNewArrived(onReplica("alive"));
      } finally {
        sql(first, readOnly(false));
      }
    }

    private String[] readOnly(boolean on) {
      return kind == Server.POSTGRESQL
          ? new String[] {
            "ALTER SYSTEM SET default_transaction_read_only = " + (on ? "on" : "off"),
            "SELECT pg_reload_conf()"
          }
          : new String[] {"SET GLOBAL read_only = " + (on ? 1 : 0)};
    }

    private static void sql(DatabaseServer server, String... statements) {
      String any = server.server() == Server.POSTGRESQL ? "postgres" : "mysql";
      EmptyDatabase.execute(source(server, server.jdbcUrl(any)), statements);
    }
  }
}
