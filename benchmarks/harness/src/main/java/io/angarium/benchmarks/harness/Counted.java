package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerCounters;
import io.angarium.testservers.ServerOptions;
import java.sql.SQLException;

/**
 * Statements and bytes of the log until now, or between two such times, as the database itself
 * counts them. Immutable.
 */
record Counted(ServerCounters.Counts counts, long log) {
  private static final ServerOptions COUNTING =
      ServerOptions.standard()
          .ownProcess()
          .setting("shared_preload_libraries", "pg_stat_statements")
          .setting("pg_stat_statements.max", "10000")
          .setting("full_page_writes", "off");

  /** What is done on a server that counts. */
  interface Work {
    /** Does it. */
    void on(Meter meter) throws Exception;
  }

  /** What the server of a stage counts. */
  record Meter(Stage stage, ServerCounters counters) {
    Counted read(Trial trial) throws SQLException {
      long log = stage.logBytes();
      return new Counted(counters.read(trial.database()), log);
    }

    /**
     * Transactions that were committed, those that are one statement among them. Waits until the
     * database has heard of all. MariaDB counts what ends with a COMMIT.
     */
    long transactions(Trial trial) throws SQLException {
      return stage.kind() == DatabaseKind.POSTGRESQL
          ? stage.committed(trial.database())
          : counters.read(trial.database()).commits();
    }
  }

  /**
   * Does something where it is counted: on a server of its own, since counting costs time, and
   * without full pages in the log its bytes do not depend on when a checkpoint was.
   */
  static void on(Stage stage, Work work) throws Exception {
    if (stage.kind() == DatabaseKind.MARIADB) { // counts all the time
      work.on(new Meter(stage, ServerCounters.of(stage.database())));
      return;
    }
    try (DatabaseServer counting = DatabaseServer.start(Server.POSTGRESQL, COUNTING);
        Stage own = stage.on(counting)) {
      work.on(new Meter(own, ServerCounters.of(counting)));
    }
  }

  Counted since(Counted before) {
    return new Counted(counts.since(before.counts), log - before.log);
  }

  /**
   * Notes it per message.
   *
   * @param way the last word of the metrics
   */
  void add(Recorder.Round round, String way, long messages) {
    round.add("statements/msg " + way, (double) counts.statements() / messages);
    round.add("log bytes/msg " + way, (double) log / messages);
  }
}
