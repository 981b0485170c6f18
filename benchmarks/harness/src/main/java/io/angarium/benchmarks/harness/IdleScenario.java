package io.angarium.benchmarks.harness;

import java.util.List;
import java.util.Map;

/** Many relays that have nothing to do: how much of a processor the database spends on them. */
final class IdleScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int SETTLE_SECONDS = 15;

  private final List<Integer> relays;
  private final int seconds;

  /**
   * @param relays numbers of them
   * @param seconds each is watched
   */
  IdleScenario(List<Integer> relays, int seconds) {
    this.relays = List.copyOf(relays);
    this.seconds = seconds;
  }

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    for (int count : relays) {
      try (Trial trial = stage.open(ARM, Map.of("relays", Integer.toString(count)))) {
        if (count > 0) {
          trial.start();
        }
        trial.elapse(SETTLE_SECONDS); // leases are spread by then
        Usage before = trial.usage();
        trial.elapse(seconds);
        Usage used = trial.usage().since(before);
        recorder
            .round(ARM, Integer.toString(count), 1)
            .add("database percent of a core", percent(used.database()))
            .add("arm percent of a core", percent(used.arm()))
            .add("log bytes/s", (double) used.log() / seconds)
            .done();
      }
    }
  }

  private double percent(long nanos) {
    return nanos / 1e7 / seconds;
  }
}
