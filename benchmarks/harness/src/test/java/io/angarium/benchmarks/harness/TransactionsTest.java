package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.Thorough;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.POSTGRESQL)
final class TransactionsTest {
  /** Upkeep would be counted with the rest. */
  private static final ServerOptions OPTIONS =
      ServerOptions.standard().ownProcess().setting("autovacuum", "off");

  @Thorough
  @Test
  void transactionsOfSessionsThatStayOpenAreCountedWithAndWithoutACommit() throws SQLException {
    try (DatabaseServer server = DatabaseServer.start(Server.POSTGRESQL, OPTIONS)) {
      TestDatabase asking = server.freshDatabase();
      TestDatabase counted = server.freshDatabase();
      counted.execute("CREATE TABLE t (n INT)");
      try (Connection connection = counted.connect();
          Statement statement = connection.createStatement()) {
        commitByThemselves(statement, 1); // tells of those that opened the session
        long before = committed(asking, counted);

        commitByThemselves(statement, 7);
        commitTogether(connection, statement, 5);

        long committed = committed(asking, counted) - before;
        assertThat(committed).isEqualTo(7 + 5);
      }
    }
  }

  private static long committed(TestDatabase asking, TestDatabase counted) throws SQLException {
    return Transactions.committed(asking, counted.name(), new Rest(Duration.ofMinutes(2)));
  }

  private static void commitByThemselves(Statement statement, int number) throws SQLException {
    for (int i = 0; i < number; i++) {
      statement.execute("INSERT INTO t VALUES (1)");
    }
  }

  private static void commitTogether(Connection connection, Statement statement, int number)
      throws SQLException {
    connection.setAutoCommit(false);
    for (int i = 0; i < number; i++) {
      statement.execute("INSERT INTO t VALUES (1)");
      statement.execute("SELECT count(*) FROM t");
      connection.commit();
    }
  }
}
