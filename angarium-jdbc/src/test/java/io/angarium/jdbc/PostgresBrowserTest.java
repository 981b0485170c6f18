package io.angarium.jdbc;

import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.MessageBrowserTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresBrowserTest implements MessageBrowserTck {
  private static DataSource database;
  private DeskFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.postgres();
    JdbcDatabase.open(database, JdbcDeskFixture.CONFIG.features(SchemaFeature.CONSOLE));
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.execute(
        database,
        """
        TRUNCATE outbox, outbox_delayed, outbox_parked, outbox_dead, outbox_sent, outbox_dedup,
          outbox_node, outbox_lease, outbox_unconfirmed, outbox_receipt,
          outbox_discarded
        RESTART IDENTITY
        """,
        "UPDATE outbox_schema SET partitions_keyed = NULL, partitions_keyless = NULL");
    fixture = new JdbcDeskFixture(database, BrowserDesk::of);
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
