package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import io.angarium.testservers.ServerOptions;
import java.util.ArrayList;
import java.util.List;

/** Which scenarios are run, and how large. Immutable. */
record Plan(String form, List<Scenario> scenarios) {
  private static final Workload.Shape KEYED = new Workload.Shape(10_000, 200, 0);
  private static final Workload.Shape KEYLESS = new Workload.Shape(0, 200, 0);
  private static final List<Contestant> ENDS = List.of(Contestant.RAW, Contestant.ANGARIUM);

  static Plan of(String form) {
    return switch (form) {
      case "short" -> new Plan(form, brief());
      case "full" -> new Plan(form, full());
      default ->
          throw new IllegalArgumentException(
              "benchmark.form: '" + form + "' (expected: short or full)");
    };
  }

  private static List<Scenario> brief() {
    return List.of(
        new EnqueueScenario(KEYED, 100, 100_000, 2, ENDS),
        new DrainScenario(KEYED, 300_000, 10_000, 2, 2, ENDS, Contestant.PEERS),
        light("keyed", KEYED, 1, 8, Contestant.PEERS),
        light("keyless", KEYLESS, 1, 8, List.of()),
        flatOut(1, 1, 8, Contestant.PEERS));
  }

  private static List<Scenario> full() {
    List<Contestant> all = List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.ANGARIUM_TUNED);
    List<Contestant> peers = new ArrayList<>(Contestant.PEERS);
    peers.addAll(Contestant.PEERS_DEFAULTS);
    return List.of(
        new EnqueueScenario(KEYED, 1, 20_000, 4, ENDS),
        new EnqueueScenario(KEYED, 100, 200_000, 4, ENDS),
        new DrainScenario(KEYED, 500_000, 50_000, 5, 3, all, peers),
        light("keyed", KEYED, 3, 20, peers),
        light("keyless", KEYLESS, 3, 20, List.of()),
        flatOut(1, 2, 20, peers),
        flatOut(10, 2, 20, List.of()));
  }

  private static Scenario light(
      String parameter, Workload.Shape shape, int pairs, int seconds, List<Contestant> peers) {
    List<Contestant> arms = List.of(Contestant.RAW_EAGER, Contestant.ANGARIUM);
    return new LoadScenario(
        "light", parameter, LoadScenario.load(shape, 1, 50, seconds), pairs, arms, peers);
  }

  private static Scenario flatOut(
      int perTransaction, int pairs, int seconds, List<Contestant> peers) {
    List<Contestant> arms = List.of(Contestant.BUSINESS, Contestant.RAW, Contestant.ANGARIUM);
    return new LoadScenario(
        "flat-out",
        perTransaction + " per transaction",
        LoadScenario.load(KEYED, perTransaction, 0, seconds),
        pairs,
        arms,
        peers);
  }

  ServerOptions database(ServerOptions options) {
    return options;
  }

  ServerOptions kafka(ServerOptions options) {
    return options;
  }
}
