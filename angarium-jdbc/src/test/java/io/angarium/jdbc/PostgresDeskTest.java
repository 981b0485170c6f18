package io.angarium.jdbc;

import io.angarium.testkit.tck.BuryActTck;
import io.angarium.testkit.tck.DeskActsTck;
import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.DiscardedTck;
import io.angarium.testkit.tck.OperationStepTck;
import io.angarium.testkit.tck.OperationTck;
import io.angarium.testkit.tck.PauseTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresDeskTest
    implements DeskActsTck, DiscardedTck, PauseTck, BuryActTck, OperationTck, OperationStepTck {
  private static DataSource database;
  private DeskFixture fixture;

  @BeforeAll
  static void create() {
    database = EmptyDatabase.postgres();
    JdbcDatabase.open(database, JdbcDeskFixture.CONFIG).desk();
  }

  // much faster than a new database for each test
  @BeforeEach
  void empty() {
    EmptyDatabase.execute(
        database,
        """
        TRUNCATE outbox, outbox_delayed, outbox_parked, outbox_dead, outbox_sent, outbox_dedup,
          outbox_node, outbox_lease, outbox_unconfirmed, outbox_receipt, outbox_discarded,
          outbox_audit, outbox_pause, outbox_pause_applied, outbox_operation,
          outbox_operation_refusal
        RESTART IDENTITY
        """,
        "UPDATE outbox_schema SET partitions_keyed = NULL, partitions_keyless = NULL");
    fixture = new JdbcDeskFixture(database, JdbcDatabase::desk);
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
