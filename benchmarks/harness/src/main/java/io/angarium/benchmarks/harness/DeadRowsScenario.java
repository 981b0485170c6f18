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
 * Each size, the clean table among them, is measured on a database of its own after the same
 * warm-up; the sizes grow in one round and shrink in the next.
 */
final class DeadRowsScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;

  /** So many times the looks that count are made before the first of all. */
  private static final int WARM_UP_TIMES = 4;

  private final Workload.Shape shape;
  private final List<Integer> sizes;
  private final int polls;
  private final int further;
  private final int rounds;

  /**
   * @param sizes numbers of dead rows
   * @param polls looks that find nothing, of which the median counts, after as many that do not
   * @param further messages sent afterwards
   * @param rounds times each size is measured
   */
  DeadRowsScenario(Workload.Shape shape, List<Integer> sizes, int polls, int further, int rounds) {
    this.shape = shape;
    this.sizes = List.copyOf(sizes);
    this.polls = polls;
    this.further = further;
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return "dead-rows";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    warmUp(stage, recorder);
    Turns.take(
        sizes,
        rounds,
        (size, number) -> {
          try (Trial trial = stage.open(ARM, Map.of())) {
            trial.load(Load.fill(shape, 0, size));
            try (Connection old = trial.database().connect()) {
              hold(old, stage.kind());
              trial.drain(size, Trial.patience(size));
              measure(trial, recorder.round(ARM, Integer.toString(size), number), size);
              old.rollback();
            }
          }
        });
  }

  /** The code of both processes: of the looks, and of the relay. */
  private void warmUp(Stage stage, Recorder recorder) throws Exception {
    recorder.say("warming up");
    for (int i = 0; i < WARM_UP_TIMES; i++) {
      try (Trial trial = stage.open(ARM, Map.of())) {
        Polls.median(trial, polls, polls);
        trial.load(Load.fill(shape, 0, further));
        trial.drain(further, Trial.patience(further));
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

  private void measure(Trial trial, Recorder.Round round, int size) throws Exception {
    double micros = Polls.median(trial, polls, polls) / 1e3;
    long all = (long) size + further;
    trial.load(Load.fill(shape, size, further));
    Usage before = trial.usage();
    Trial.Drained drained = trial.drain(all, Trial.patience(further));
    Usage used = trial.usage().since(before);
    round
        .add("poll us", micros)
        .add("messages/s", drained.perSecondFrom(size))
        .addUsage(used, further)
        .addFaults(Faults.of(all, trial.receiver().all()).after(trial.unacknowledged()))
        .done();
  }
}
