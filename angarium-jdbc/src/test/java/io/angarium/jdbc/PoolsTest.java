package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alibaba.druid.pool.DruidDataSource;
import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.session.PoolSize;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything works with the pools that applications have, and gives them back what it borrows. */
final class PoolsTest {
  private static final int SIZE = 12;

  /** What every pool is held to, on each database. */
  interface Contract {
    Pool.Opened open(Pool pool, int size) throws Exception;

    @ParameterizedTest
    @EnumSource(Pool.class)
    default void everythingWorksAndComesBack(Pool kind) throws Exception {
      try (Pool.Opened pool = open(kind, SIZE)) {
        WatchedSource watched = new WatchedSource(pool.dataSource(), false);

        new Borrowers(watched.dataSource()).useAll();
        new Borrowers(pool.dataSource()).useAll();

        assertThat(watched.differences()).isEmpty();
        assertThat(watched.out()).isZero();
        assertThat(watched.ended()).isZero();
        awaitAllBack(pool);
      }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    default void poolThatIsTooSmallStopsTheStartWithBothNumbers(Pool kind) throws Exception {
      try (Pool.Opened pool = open(kind, 3)) {
        JdbcDatabase database =
            JdbcDatabase.open(pool.dataSource(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

        assertThat(PoolSize.of(pool.dataSource())).hasValue(3);
        assertThatThrownBy(database::leases)
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("a pool of 3 (expected: at least 6");
        awaitAllBack(pool);
      }
    }
  }

  /** Its defaults let our statements pass on no database. */
  @Test
  void wallOfDruidThatWouldRefuseStatementsStopsTheStartAndNamesTheSettings() throws Exception {
    try (DruidDataSource pool = Pool.druid("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "", 3)) {
      pool.setFilters("stat,wall");

      for (ThrowingCallable start :
          List.<ThrowingCallable>of(
              () -> JdbcDatabase.open(pool, JdbcConfig.DEFAULTS),
              () -> JdbcInbox.open(pool, InboxConfig.DEFAULTS))) {
        assertThatThrownBy(start)
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining(
                "spring.datasource.druid.filter.wall.config.strict-syntax-check=false")
            .hasMessageContaining("wall.config.none-base-statement-allow=true")
            .hasMessageContaining("wall.config.limit-zero-allow=true")
            .hasMessageContaining("or leave wall out of the filters");
      }
    }
  }

  /** c3p0 takes them back in a thread of its own. */
  private static void awaitAllBack(Pool.Opened pool) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (pool.lent().getAsInt() > 0) {
      assertThat(System.nanoTime()).as("given back in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static Pool.Opened open(Pool pool, DatabaseServer server, int size) throws Exception {
    TestDatabase database = server.freshDatabase();
    return pool.open(database.url(), database.user(), database.password(), size);
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Contract {
    @Override
    public Pool.Opened open(Pool pool, int size) throws Exception {
      return PoolsTest.open(pool, SharedServers.postgres(), size);
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements Contract {
    @Override
    public Pool.Opened open(Pool pool, int size) throws Exception {
      return PoolsTest.open(pool, SharedServers.mariaDb(), size);
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements Contract {
    @Override
    public Pool.Opened open(Pool pool, int size) throws Exception {
      return PoolsTest.open(pool, SharedServers.mySql(), size);
    }
  }

  @Nested
  final class OnH2 implements Contract {
    @Override
    public Pool.Opened open(Pool pool, int size) throws Exception {
      return pool.open("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", size);
    }
  }
}
