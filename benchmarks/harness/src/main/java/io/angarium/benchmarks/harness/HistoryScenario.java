package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Messages are sent with the history kept, which holds more and more already. */
final class HistoryScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int PER_STATEMENT = 1_000_000;
  private static final String COLUMNS =
      "INSERT INTO outbox_sent (sent_at, attempts, partition_no, id, created_at, message_id,"
          + " destination, message_key, payload) ";

  private final Workload.Shape shape;
  private final List<Integer> sizes;
  private final int messages;
  private final int rounds;

  /**
   * @param sizes rows of the history, growing
   * @param messages sent at each size, in each round
   */
  HistoryScenario(Workload.Shape shape, List<Integer> sizes, int messages, int rounds) {
    this.shape = shape;
    this.sizes = List.copyOf(sizes);
    this.messages = messages;
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return "history";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    try (Trial trial = stage.open(ARM, Map.of("history", "1"))) {
      long sent = drain(trial, 0);
      int kept = 0;
      for (int size : sizes) {
        for (; kept < size; kept += Math.min(PER_STATEMENT, size - kept)) {
          recorder.say(kept + " rows of history");
          keep(trial, stage.kind(), kept, Math.min(PER_STATEMENT, size - kept));
        }
        for (int round = 1; round <= rounds; round++) {
          sent = measure(trial, recorder, size, round, sent);
        }
      }
      Faults faults = Faults.of(sent, trial.receiver().all()).after(trial.unacknowledged());
      recorder.round(ARM, "all", 1).addFaults(faults).done();
    }
  }

  private long measure(Trial trial, Recorder recorder, int size, int round, long sent)
      throws Exception {
    trial.load(Load.fill(shape, sent, messages));
    trial.settle();
    Usage before = trial.usage();
    Trial.Drained drained = trial.drain(sent + messages, Trial.patience(messages));
    Usage used = trial.usage().since(before);
    recorder
        .round(ARM, Integer.toString(size), round)
        .add("messages/s", drained.perSecondFrom(sent))
        .addUsage(used, messages)
        .done();
    return drained.sent();
  }

  /** To warm up. */
  private long drain(Trial trial, long first) {
    trial.load(Load.fill(shape, first, messages));
    return trial.drain(first + messages, Trial.patience(messages)).sent();
  }

  /** Puts rows into the history, older than any the relay will write. */
  private static void keep(Trial trial, DatabaseKind kind, int from, int count)
      throws SQLException {
    String numbers =
        kind == DatabaseKind.POSTGRESQL
            ? "SELECT now() - interval '1 day', 0, i %% 64, -i, now() - interval '1 day',"
                + " gen_random_uuid(), 'kafka:old', 'key', repeat('x', 100)::bytea"
                + " FROM generate_series(%d, %d) AS s(i)"
            : "SELECT UTC_TIMESTAMP(6) - INTERVAL 1 DAY, 0, seq %% 64, -seq,"
                + " UTC_TIMESTAMP(6) - INTERVAL 1 DAY, UNHEX(MD5(seq)), 'kafka:old', 'key',"
                + " REPEAT('x', 100) FROM seq_%d_to_%d";
    trial.database().execute(COLUMNS + String.format(numbers, from + 1, from + count));
  }
}
