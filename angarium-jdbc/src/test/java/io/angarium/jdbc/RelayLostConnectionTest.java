package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.relay.Relay;
import io.angarium.relay.RelayListener;
import io.angarium.store.OutboxStore;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A relay that loses its database in the middle of its work: it goes on by itself, in order. */
final class RelayLostConnectionTest {
  private static final int MESSAGES = 2_000;

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Backlog {
    OnPostgres() {
      super(SharedServers.postgres());
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb extends Backlog {
    OnMariaDb() {
      super(SharedServers.mariaDb());
    }
  }

  @Nested
  @RequiresServer(Server.MYSQL)
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
    private final AtomicInteger failures = new AtomicInteger();

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
      drain(new Cuts(Set.of("read"), proxy));
    }

    @Test
    void cutWhileDeletingLosesAndDisordersNothing() throws InterruptedException {
      drain(new Cuts(Set.of("delete"), proxy));
    }

    @Test
    void cutWhileParkingLosesAndDisordersNothing() throws InterruptedException {
      scene.failWhile(RelayScene.onceEvery(25));
      drain(new Cuts(Set.of("park", "settleParked"), proxy));
    }

    private void drain(Cuts cuts) throws InterruptedException {
      messages.write(MESSAGES);
      try (JdbcOutboxStore store = throughProxy.store();
          JdbcLeaseStore leases = throughProxy.leases();
          Relay relay = scene.relay("node", cuts.around(store), leases, reconnecting())) {
        relay.start();
        scene.awaitArrivals(MESSAGES);
      }

      assertThat(cuts.made.get()).isEqualTo(Cuts.MAX);
      assertThat(failures.get()).isGreaterThanOrEqualTo(Cuts.MAX);
      messages.assertArrived(scene.broker);
      assertThat(scene.broker.stored()).as("nobody died: no repeats").hasSize(MESSAGES);
      assertThat(EmptyDatabase.number(direct, "SELECT COUNT(*) FROM outbox")).isZero();
      assertThat(EmptyDatabase.number(direct, "SELECT COUNT(*) FROM outbox_parked")).isZero();
    }

    /** The database is back once the relay has noticed twice that it is not there. */
    private RelayListener reconnecting() {
      return new RelayListener() {
        @Override
        public void storeFailed(String task, RuntimeException cause) {
          if (failures.incrementAndGet() % 2 == 0) {
            proxy.heal();
          }
        }
      };
    }
  }

  /**
   * Breaks the connections in every second call of some methods of a store: before the request went
   * out, or after some bytes of the answers came in, so that it is not known what was done.
   *
   * @param made cuts until now
   */
  private record Cuts(
      Set<String> methods, FaultProxy proxy, AtomicInteger calls, AtomicInteger made) {
    static final int MAX = 8;
    private static final int BYTES_STEP = 60;

    Cuts(Set<String> methods, FaultProxy proxy) {
      this(methods, proxy, new AtomicInteger(), new AtomicInteger());
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
                  throw e.getCause();
                }
              });
    }

    private void called() {
      if (calls.incrementAndGet() % 2 == 0 && made.get() < MAX) {
        int cut = made.incrementAndGet();
        if (cut % 4 == 0) {
          proxy.refuse();
        } else {
          proxy.cutAfter(FaultProxy.Way.TO_CLIENT, (cut - 1L) * BYTES_STEP);
        }
      }
    }
  }
}
