package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whoever borrows a connection gives it back to the pool exactly as it came, or ends it. */
final class BorrowedConnectionTest {
  /** What every database is held to. */
  interface Contract {
    DataSource database();

    @Test
    default void everyBorrowerGivesItsConnectionsBackAsTheyCame() throws Exception {
      WatchedSource pool = new WatchedSource(database(), false);

      new Borrowers(pool.dataSource()).useAll();

      assertThat(pool.differences()).isEmpty();
      assertThat(pool.ended()).isZero();
      assertThat(pool.out()).isZero();
      assertThat(pool.taken()).isGreaterThan(30);
    }

    @Test
    default void soTheyDoAfterErrors() {
      DataSource database = database();
      JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);
      JdbcInbox.open(database, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      for (boolean autoCommit : new boolean[] {true, false}) {
        WatchedSource pool = new WatchedSource(database, autoCommit);

        new Borrowers(pool.dataSource()).failAll(database);

        assertThat(pool.differences()).as("auto-commit %s", autoCommit).isEmpty();
        assertThat(pool.out()).isZero();
        assertThat(pool.taken()).isGreaterThan(8);
      }
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Contract {
    @Override
    public DataSource database() {
      return EmptyDatabase.postgres();
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements Contract {
    @Override
    public DataSource database() {
      return EmptyDatabase.mariaDb();
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements Contract {
    @Override
    public DataSource database() {
      return EmptyDatabase.mySql();
    }
  }

  @Nested
  final class OnH2 implements Contract {
    @Override
    public DataSource database() {
      return EmptyDatabase.h2InMemory();
    }
  }
}
