package io.angarium.jdbc;

import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;

/**
 * The contracts with drivers that prepare statements otherwise, or are made for another server:
 * what a driver returns wrongly is lost.
 */
@OnOneJdk
final class DriverWayTest {
  private static final InboxConfig CREATED = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final Map<DriverWay, DataSource> STORES = new ConcurrentHashMap<>();

  private static StoreFixture store(DriverWay way) {
    DataSource database = STORES.computeIfAbsent(way, DriverWayTest::withTables);
    EmptyDatabase.emptyMySqlTables(database);
    return new JdbcStoreFixture(database);
  }

  private static DataSource withTables(DriverWay way) {
    DataSource database = way.database();
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    return database;
  }

  @Nested
  @RequiresMariaDb
  final class InboxOnMariaDbThroughMySqlPrepared implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MARIADB_THROUGH_MYSQL_PREPARED.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMariaDb
  final class HalfMessagesOnMariaDbThroughMySqlPrepared implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(
            EmptiedDatabase.by(DriverWay.MARIADB_THROUGH_MYSQL_PREPARED), "MariaDB");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMariaDb
  final class StoreOnMariaDbThroughMySqlPrepared implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MARIADB_THROUGH_MYSQL_PREPARED);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresMySql
  final class InboxOnMySqlPrepared implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MYSQL_PREPARED.database(), CREATED);

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class HalfMessagesOnMySqlPrepared implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(EmptiedDatabase.by(DriverWay.MYSQL_PREPARED), "MySQL");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class StoreOnMySqlPrepared implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MYSQL_PREPARED);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class InboxOnMariaDbPrepared implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MARIADB_PREPARED.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class HalfMessagesOnMariaDbPrepared implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(EmptiedDatabase.by(DriverWay.MARIADB_PREPARED), "MariaDB");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class StoreOnMariaDbPrepared implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MARIADB_PREPARED);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class InboxOnMariaDbThroughMySql implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MARIADB_THROUGH_MYSQL.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class HalfMessagesOnMariaDbThroughMySql implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(
            EmptiedDatabase.by(DriverWay.MARIADB_THROUGH_MYSQL), "MariaDB");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class StoreOnMariaDbThroughMySql implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MARIADB_THROUGH_MYSQL);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class InboxOnMariaDbThroughMySqlCursors implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MARIADB_THROUGH_MYSQL_CURSORS.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class HalfMessagesOnMariaDbThroughMySqlCursors implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(
            EmptiedDatabase.by(DriverWay.MARIADB_THROUGH_MYSQL_CURSORS), "MariaDB");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMariaDb
  final class StoreOnMariaDbThroughMySqlCursors implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MARIADB_THROUGH_MYSQL_CURSORS);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class InboxOnMySqlCursors implements JdbcInboxTest.OnMySqlFamily {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.MYSQL_CURSORS.database(), CREATED);

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class HalfMessagesOnMySqlCursors implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(EmptiedDatabase.by(DriverWay.MYSQL_CURSORS), "MySQL");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresMySql
  final class StoreOnMySqlCursors implements StoreTck {
    private final StoreFixture fixture = store(DriverWay.MYSQL_CURSORS);

    @Override
    public StoreFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresServer(Server.POSTGRESQL)
  final class InboxOnPostgresPrepared implements JdbcInboxTest.Rotating {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.POSTGRES_PREPARED.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }

    @Override
    public void makeOld() {
      EmptyDatabase.execute(
          fixture.dataSource(),
          "UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL '15 days'");
    }
  }

  @Nested
  @Thorough
  @RequiresServer(Server.POSTGRESQL)
  final class HalfMessagesOnPostgresPrepared implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(DriverWay.POSTGRES_PREPARED.database(), "PostgreSQL");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @Thorough
  @RequiresServer(Server.POSTGRESQL)
  final class InboxOnPostgresSimple implements JdbcInboxTest.Rotating {
    private final JdbcInboxTest.JdbcFixture fixture =
        new JdbcInboxTest.JdbcFixture(DriverWay.POSTGRES_SIMPLE.database(), CREATED)
            .withoutDeadlocks();

    @Override
    public JdbcInboxTest.JdbcFixture fixture() {
      return fixture;
    }

    @Override
    public void makeOld() {
      EmptyDatabase.execute(
          fixture.dataSource(),
          "UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL '15 days'");
    }
  }

  @Nested
  @Thorough
  @RequiresServer(Server.POSTGRESQL)
  final class HalfMessagesOnPostgresSimple implements HalfMessagesTest.OnDatabase {
    private final HalfMessagesTest.JdbcFixture fixture =
        new HalfMessagesTest.JdbcFixture(DriverWay.POSTGRES_SIMPLE.database(), "PostgreSQL");

    @Override
    public HalfMessagesTest.JdbcFixture fixture() {
      return fixture;
    }
  }
}
