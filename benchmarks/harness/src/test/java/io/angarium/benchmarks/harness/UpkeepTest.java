package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.MARIADB)
final class UpkeepTest {
  private static final String SETTINGS =
      "SELECT @@GLOBAL.innodb_io_capacity + @@GLOBAL.innodb_io_capacity_max"
          + " + 1000000 * @@GLOBAL.innodb_max_dirty_pages_pct"
          + " + 1000000000 * @@GLOBAL.innodb_max_dirty_pages_pct_lwm";

  @Test
  void mariaDbHasPurgedAndWrittenOutWhatWasLeft() throws SQLException {
    ServerOptions options = ServerOptions.standard().ownProcess();
    try (DatabaseServer server = DatabaseServer.start(Server.MARIADB, options)) {
      TestDatabase database = server.freshDatabase();
      long settings = database.number(SETTINGS);
      database.execute(
          "CREATE TABLE t (n INT PRIMARY KEY, p VARCHAR(200))",
          "INSERT INTO t SELECT seq, REPEAT('x', 200) FROM seq_1_to_200000",
          "DELETE FROM t WHERE n % 2 = 0");
      long dirtyBefore = dirtyPages(database);

      assertThat(Upkeep.MARIADB.settle(database)).isEmpty();

      assertThat(dirtyBefore).isGreaterThan(1_000);
      assertThat(dirtyPages(database)).isLessThan(200);
      assertThat(history(database)).isLessThan(200);
      assertThat(database.number(SETTINGS)).isEqualTo(settings);
    }
  }

  private static long dirtyPages(TestDatabase database) throws SQLException {
    return database.number("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'");
  }

  private static long history(TestDatabase database) throws SQLException {
    return database.number("SHOW GLOBAL STATUS LIKE 'Innodb_history_list_length'");
  }
}
