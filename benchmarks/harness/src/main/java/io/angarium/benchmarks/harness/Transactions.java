package io.angarium.benchmarks.harness;

import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Transactions that a database of PostgreSQL has committed, as it counts them itself: with and
 * without a COMMIT of their own, those that only read, and the few of its own upkeep. One that uses
 * no table is told by its session with the next that does.
 */
final class Transactions {
  /** A session that idles tells of its last ones within ten seconds. */
  private static final Duration REPORTED = Duration.ofSeconds(11);

  private Transactions() {}

  /**
   * Waits until all sessions must have told of theirs.
   *
   * @param asking another database, so that the question does not count
   * @param rest is over if further ones are committed all the time
   */
  static long committed(TestDatabase asking, String database, Rest rest) throws SQLException {
    return rest.untilNotRising(REPORTED, () -> told(asking, database));
  }

  private static long told(TestDatabase asking, String database) throws SQLException {
    try (Connection connection = asking.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT xact_commit FROM pg_stat_database WHERE datname = ?")) {
      statement.setString(1, database);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
