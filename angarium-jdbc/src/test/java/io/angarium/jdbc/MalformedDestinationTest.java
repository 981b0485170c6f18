package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayListener;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A row written past the API, with a destination that cannot be one, stops nothing else. */
final class MalformedDestinationTest {
  private static final int MESSAGES = 50;
  private static final Duration TTL = Duration.ofMinutes(1);

  @Nested
  final class OnH2 extends Malformed {
    OnH2() {
      super(EmptyDatabase.h2InMemory());
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends Malformed {
    OnPostgres() {
      super(EmptyDatabase.postgres());
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb extends Malformed {
    OnMariaDb() {
      super(EmptyDatabase.mariaDb());
    }
  }

  /** The same on every database. */
  abstract static class Malformed {
    private final DataSource dataSource;
    private final JdbcDatabase database;
    private final RelayScene scene = new RelayScene();

    Malformed(DataSource dataSource) {
      this.dataSource = dataSource;
      this.database =
          JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    @Test
    void itsRowWaitsUnderANameAndTheOthersAreSent() throws InterruptedException {
      new NumberedMessages("fake:orders", database).write(MESSAGES);
      String first = " WHERE id = (SELECT i FROM (SELECT min(id) AS i FROM outbox) AS f)";
      String last = " WHERE id = (SELECT i FROM (SELECT max(id) AS i FROM outbox) AS l)";
      EmptyDatabase.execute(
          dataSource,
          "UPDATE outbox SET destination = ''" + first,
          "UPDATE outbox SET destination = 'a\tb'" + last);

      try (JdbcOutboxStore store = database.store();
          JdbcLeaseStore leases = database.leases();
          Relay relay = scene.relay("a", TTL, store, leases, new RelayListener() {})) {
        relay.start();
        scene.awaitArrivals(MESSAGES - 2);
        awaitCircuits(relay, Set.of("malformed:blank", "malformed:a?b"));
      }
      assertThat(EmptyDatabase.number(dataSource, "SELECT count(*) FROM outbox")).isEqualTo(2);
    }

    private static void awaitCircuits(Relay relay, Set<String> names) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!circuits(relay).containsAll(names)) {
        assertThat(System.nanoTime())
            .as("%s instead of %s", circuits(relay), names)
            .isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
    }

    private static Set<String> circuits(Relay relay) {
      return relay.circuits().keySet().stream().map(Object::toString).collect(Collectors.toSet());
    }
  }
}
