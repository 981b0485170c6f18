package io.angarium.jdbc;

import io.angarium.testkit.tck.BuryActTck;
import io.angarium.testkit.tck.DeskActsTck;
import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.DiscardedTck;
import io.angarium.testkit.tck.OperationStepTck;
import io.angarium.testkit.tck.OperationTck;
import io.angarium.testkit.tck.PauseTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMySql;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMySql
final class MySqlDeskTest
    implements DeskActsTck, DiscardedTck, PauseTck, BuryActTck, OperationTck, OperationStepTck {
  private static DataSource database;
  private DeskFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.mySql();
    JdbcDatabase.open(database, JdbcDeskFixture.CONFIG).desk();
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.emptyMySqlTables(database);
    EmptyDatabase.execute(
        database,
        "DELETE FROM outbox_unconfirmed",
        "DELETE FROM outbox_receipt",
        "DELETE FROM outbox_discarded",
        "DELETE FROM outbox_pause",
        "DELETE FROM outbox_pause_applied",
        "DELETE FROM outbox_operation",
        "DELETE FROM outbox_operation_refusal",
        "DELETE FROM outbox_audit");
    fixture = new JdbcDeskFixture(database, JdbcDatabase::desk);
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
