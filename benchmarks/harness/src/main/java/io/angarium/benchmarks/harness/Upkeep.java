package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import java.util.Optional;

/** What the harness itself asks of a database. */
enum Upkeep {
  POSTGRESQL("SELECT pg_current_wal_lsn() - '0/0'") {
    @Override
    Optional<String> settle(TestDatabase database) throws SQLException {
      database.execute("VACUUM", "CHECKPOINT");
      return Optional.empty();
    }
  },
  MARIADB("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'") {
    @Override
    Optional<String> settle(TestDatabase database) throws SQLException {
      return InnoDb.settle(database, "SHOW GLOBAL STATUS LIKE 'Innodb_history_list_length'");
    }
  },
  MYSQL("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'") {
    @Override
    Optional<String> settle(TestDatabase database) throws SQLException {
      return InnoDb.settle(
          database,
          "SELECT name, count FROM information_schema.innodb_metrics"
              + " WHERE name = 'trx_rseg_history_len'");
    }
  };

  private final String logPosition;

  Upkeep(String logPosition) {
    this.logPosition = logPosition;
  }

  static Upkeep of(DatabaseKind database) {
    return valueOf(database.name());
  }

  /** Bytes the server has written to its log of changes (WAL, redo) so far. */
  long logBytes(TestDatabase database) throws SQLException {
    return database.number(logPosition);
  }

  /**
   * Has tidied up and written out what earlier work left, so that it is not counted in what
   * follows; what is left after all if that takes too long.
   */
  abstract Optional<String> settle(TestDatabase database) throws SQLException;
}
