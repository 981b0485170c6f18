package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;

/** What a database server counts about itself. */
final class ServerCounters {
  private final DatabaseKind kind;
  private final TestDatabase asking;

  /** Counted until now, or between two such times. */
  record Counts(long statements, long transactions, long log) {
    Counts since(Counts before) {
      return new Counts(
          statements - before.statements, transactions - before.transactions, log - before.log);
    }

    void add(Recorder.Round round, String way, long messages) {
      round.add("statements/msg " + way, (double) statements / messages);
      round.add("transactions/msg " + way, (double) transactions / messages);
      round.add("log bytes/msg " + way, (double) log / messages);
    }
  }

  private ServerCounters(DatabaseKind kind, TestDatabase asking) {
    this.kind = kind;
    this.asking = asking;
  }

  static ServerCounters of(Stage stage) throws SQLException {
    TestDatabase asking = stage.database().freshDatabase();
    if (stage.kind() == DatabaseKind.POSTGRESQL) {
      Upkeep.execute(asking, "CREATE EXTENSION pg_stat_statements");
    }
    return new ServerCounters(stage.kind(), asking);
  }

  /** Asked from another database, so that PostgreSQL does not count the questions. */
  Counts read(TestDatabase database) throws SQLException {
    long log = Upkeep.of(kind).logBytes(asking);
    if (kind == DatabaseKind.MARIADB) {
      return new Counts(status("Questions"), status("Com_commit"), log);
    }
    String statements =
        "SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements AS s"
            + " JOIN pg_database AS d ON d.oid = s.dbid WHERE d.datname = '"
            + database.name()
            + "'";
    return new Counts(
        Upkeep.number(asking, statements, 1),
        Upkeep.number(asking, statements + " AND s.query = 'COMMIT'", 1),
        log);
  }

  private long status(String name) throws SQLException {
    return Upkeep.number(asking, "SHOW GLOBAL STATUS LIKE '" + name + "'", 2);
  }
}
