package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.Thorough;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A relay that loses its database in the middle of its work: it goes on by itself, in order. */
final class RelayLostConnectionTest {
  private static final int MESSAGES = 2_000;
  private static final int MESSAGES_MAX = 20_000;

  /** Longer than any stall: after the end of its lease a relay may send again. */
  private static final Duration TTL = Duration.ofMinutes(1);

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Backlog {
    OnPostgres() {
      super(SharedServers.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Backlog {
    OnMariaDb() {
      super(SharedServers.mariaDb());
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class OnMySql extends Backlog {
    OnMySql() {
      super(SharedServers.mySql());
    }
  }

  /** The same on every server: a backlog is drained through a proxy that breaks the connections. */
  abstract static class Backlog {
    private final RelayScene scene = new RelayScene();
    private final FaultProxy proxy;
    private final ConnectionSource direct;
    private final JdbcDatabase throughProxy;
    private final NumberedMessages messages;

    Backlog(DatabaseServer server) {
      proxy = FaultProxy.to(server);
      TestDatabase database = server.freshDatabase();
      direct = new ConnectionSource(database::connect);
      messages =
          new NumberedMessages(
              "fake:orders",
              JdbcDatabase.open(direct, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)));
      throughProxy =
          JdbcDatabase.open(
              new ConnectionSource(database.through(proxy)::connect), JdbcConfig.DEFAULTS);
    }

    @AfterEach
    void closeProxy() {
      proxy.close();
    }

    @Test
    void cutWhileReadingLosesAndDisordersNothing() throws InterruptedException {
      drain(cuts("read"));
    }

    @Test
    void cutWhileDeletingLosesAndDisordersNothing() throws InterruptedException {
      drain(cuts("delete"));
    }

    @Test
    void cutWhileParkingLosesAndDisordersNothing() throws InterruptedException {
      scene.failWhile(RelayScene.onceEvery(25));
      drain(cuts("park", "settleParked"));
    }

    private Cuts cuts(String... methods) {
      return new Cuts(Set.of(methods), proxy);
    }

    private void drain(Cuts cuts) throws InterruptedException {
      int written = 0;
      try (JdbcOutboxStore store = throughProxy.store();
          JdbcLeaseStore leases = throughProxy.leases();
          Relay relay =
              scene.relay("node", TTL, cuts.around(store), leases, new RelayListener() {})) {
        while (written < MESSAGES_MAX && !cuts.allNoticed()) {
          messages.write(MESSAGES);
          written += MESSAGES;
          relay.start();
          scene.awaitArrivals(MESSAGES);
        }
      }

      assertThat(cuts.allNoticed()).as("%d cuts noticed", Cuts.MAX).isTrue();
      messages.assertArrived(scene.broker);
      assertThat(scene.broker.stored()).as("nobody died: no repeats").hasSize(written);
      assertThat(EmptyDatabase.number(direct, "SELECT COUNT(*) FROM outbox")).isZero();
      assertThat(EmptyDatabase.number(direct, "SELECT COUNT(*) FROM outbox_parked")).isZero();
    }
  }

  /**
   * Breaks the connections in every second call of some methods of a store: before the request went
   * out, or after some bytes of the answers came in, so that it is not known what was done. The
   * next cut waits until the relay has noticed the last one.
   */
  private static final class Cuts {
    static final int MAX = 8;
    private static final int BYTES_STEP = 60;

    private final Set<String> methods;
    private final FaultProxy proxy;
    private int calls;
    private int failures;
    private int made;
    private int failuresBefore = -1;

    Cuts(Set<String> methods, FaultProxy proxy) {
      this.methods = methods;
      this.proxy = proxy;
    }

    /** The database is back once the relay has noticed twice that it is not there. */
    private synchronized void failed() {
      failures++;
      if (failures % 2 == 0) {
        proxy.accept();
      }
    }

    synchronized boolean allNoticed() {
      return made == MAX && noticed();
    }

    private boolean noticed() {
      return proxy.cuts() >= made && failures > failuresBefore;
    }

    OutboxStore around(OutboxStore store) {
      return (OutboxStore)
          Proxy.newProxyInstance(
              OutboxStore.class.getClassLoader(),
              new Class<?>[] {OutboxStore.class},
              (self, method, arguments) -> {
                if (methods.contains(method.getName())) {
                  called();
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  failed();
                  throw e.getCause();
                }
              });
    }

    private synchronized void called() {
      if (++calls % 2 == 0 && made < MAX && noticed()) {
        failuresBefore = failures;
        made++;
        if (made % 4 == 0) {
          proxy.refuse();
        } else {
          proxy.cutAfter(FaultProxy.Way.TO_CLIENT, (made - 1L) * BYTES_STEP);
        }
      }
    }
  }
}
