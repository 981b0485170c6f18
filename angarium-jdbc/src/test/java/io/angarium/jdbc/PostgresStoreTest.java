package io.angarium.jdbc;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresStoreTest implements StoreTck {
  private static DataSource database;
  private StoreFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.postgres();
    JdbcDatabase.open(database, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.execute(
        database,
        """
        TRUNCATE outbox, outbox_delayed, outbox_parked, outbox_dead, outbox_sent, outbox_dedup,
          outbox_node, outbox_lease
        RESTART IDENTITY
        """,
        "UPDATE outbox_schema SET partitions_keyed = NULL, partitions_keyless = NULL");
    fixture = new JdbcStoreFixture(database);
  }

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
