package io.angarium.jdbc;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMariaDb
final class MariaDbStoreTest implements StoreTck {
  private static DataSource database;
  private StoreFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.mariaDb();
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.emptyMySqlTables(database);
    fixture = new JdbcStoreFixture(database);
  }

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
