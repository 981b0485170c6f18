package io.angarium.jdbc;

import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.MessageBrowserTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMariaDb
final class MariaDbBrowserTest implements MessageBrowserTck {
  private static DataSource database;
  private DeskFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.mariaDb();
    JdbcDatabase.open(database, JdbcDeskFixture.CONFIG.features(SchemaFeature.CONSOLE));
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.emptyMySqlTables(database);
    EmptyDatabase.execute(
        database,
        "DELETE FROM outbox_unconfirmed",
        "DELETE FROM outbox_receipt",
        "DELETE FROM outbox_discarded");
    fixture = new JdbcDeskFixture(database, BrowserDesk::of);
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
