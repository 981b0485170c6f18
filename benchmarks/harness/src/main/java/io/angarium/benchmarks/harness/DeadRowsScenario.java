package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * Messages are sent while a transaction holds an old snapshot, so that the database cannot tidy up
 * what was deleted. Then: what a look that finds nothing costs, and how fast further messages go.
 */
final class DeadRowsScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;

  private final Workload.Shape shape;
  private final List<Integer> sizes;
  private final int polls;
  private final int further;

  /**
   * @param sizes numbers of dead rows
   * @param polls looks that find nothing, of which the median counts
   * @param further messages sent afterwards
   */
  DeadRowsScenario(Workload.Shape shape, List<Integer> sizes, int polls, int further) {
    this.shape = shape;
    this.sizes = List.copyOf(sizes);
    this.polls = polls;
    this.further = further;
  }

  @Override
  public String name() {
    return "dead-rows";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    for (int size : sizes) {
      try (Trial trial = stage.open(ARM, Map.of())) {
        trial.load(Load.fill(shape, 0, size));
        try (Connection old = trial.database().connect()) {
          hold(old, stage.kind());
          trial.drain(size, Trial.patience(size));
          measure(trial, recorder, size);
          old.rollback();
        }
      }
    }
  }

  /** Begins a transaction that sees the database as it is now until it ends. */
  private static void hold(Connection connection, DatabaseKind kind) throws SQLException {
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    String table = kind == DatabaseKind.POSTGRESQL ? "pg_class" : "information_schema.tables";
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT count(*) FROM purchase, " + table).close();
    }
  }

  private void measure(Trial trial, Recorder recorder, int size) throws Exception {
    double micros = Polls.median(trial, polls) / 1e3;
    trial.load(Load.fill(shape, size, further));
    Usage before = trial.usage();
    Trial.Drained drained = trial.drain((long) size + further, Trial.patience(further));
    Usage used = trial.usage().since(before);
    recorder
        .round(ARM, Integer.toString(size), 1)
        .add("poll us", micros)
        .add("messages/s", drained.perSecondFrom(size))
        .addUsage(used, further)
        .done();
  }
}
