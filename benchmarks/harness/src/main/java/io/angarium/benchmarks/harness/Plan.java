package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.harness.GrowthScenario.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which scenarios are run, and how large. Immutable. */
record Plan(String form, List<Scenario> scenarios) {
  private static final Workload.Shape KEYED = new Workload.Shape(10_000, 200, 0);
  private static final Workload.Shape KEYLESS = new Workload.Shape(0, 200, 0);
  private static final List<Contestant> ENDS = List.of(Contestant.RAW, Contestant.ANGARIUM);

  static Plan of(String form, Path folder) {
    return switch (form) {
      case "short" -> new Plan(form, brief());
      case "smoke" -> new Plan(form, smoke(folder));
      case "full" -> new Plan(form, full(folder));
      default ->
          throw new IllegalArgumentException(
              "benchmark.form: '" + form + "' (expected: short, full or smoke)");
    };
  }

  private static List<Scenario> brief() {
    return List.of(
        new EnqueueScenario(KEYED, 100, 100_000, 2, ENDS),
        new DrainScenario(KEYED, 300_000, 5_000, 2, 2, ENDS, Contestant.PEERS),
        light("keyed", KEYED, 1, 5, Contestant.PEERS),
        light("keyless", KEYLESS, 1, 5, List.of()),
        flatOut(1, 1, 6, Contestant.PEERS));
  }

  private static List<Scenario> full(Path folder) {
    List<Contestant> all = List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.ANGARIUM_TUNED);
    List<Contestant> peers = new ArrayList<>(Contestant.PEERS);
    peers.addAll(Contestant.PEERS_DEFAULTS);
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(new CostScenario(KEYED, 100_000, 5_000, ENDS, Contestant.PEERS, folder));
    scenarios.add(new EnqueueScenario(KEYED, 1, 20_000, 4, ENDS));
    scenarios.add(new EnqueueScenario(KEYED, 100, 200_000, 4, ENDS));
    scenarios.add(new DrainScenario(KEYED, 500_000, 20_000, 5, 3, all, peers));
    scenarios.add(light("keyed", KEYED, 2, 20, peers));
    scenarios.add(light("keyless", KEYLESS, 2, 20, List.of()));
    scenarios.add(flatOut(1, 2, 15, peers));
    scenarios.add(flatOut(10, 2, 15, List.of()));
    for (int rate : List.of(500, 1_000, 2_000)) {
      scenarios.add(rate(rate));
    }
    scenarios.addAll(growth());
    scenarios.add(new OpenWriterScenario(LoadScenario.load(KEYED, 1, 200, 60)));
    scenarios.add(new OutageScenario(KEYED, 60, 500, 10));
    return scenarios;
  }

  /** Everything, so small that its figures mean nothing: to see whether it still runs. */
  private static List<Scenario> smoke(Path folder) {
    List<Contestant> peers = new ArrayList<>(Contestant.PEERS);
    peers.addAll(Contestant.PEERS_DEFAULTS);
    return List.of(
        new CostScenario(KEYED, 2_000, 200, ENDS, Contestant.PEERS, folder),
        new EnqueueScenario(KEYED, 100, 2_000, 1, ENDS),
        new DrainScenario(KEYED, 2_000, 200, 1, 1, ENDS, peers),
        light("keyed", KEYED, 1, 2, List.of()),
        light("keyless", KEYLESS, 1, 2, List.of()),
        flatOut(1, 1, 2, List.of()),
        new BacklogScenario(KEYED, List.of(1_000, 2_000), 3_000),
        new DeadRowsScenario(KEYED, List.of(0, 5_000), 50, 1_000),
        new HistoryScenario(KEYED, List.of(0, 5_000), 1_000, 1),
        keys(2_000, List.of(1, 100)),
        relays(2_000, List.of(1, 5)),
        new IdleScenario(List.of(0, 5), 3),
        poison(20_000, List.of(0, 10)),
        steadyPoison(10, 2),
        payloads(List.of(100, 1_000_000), 3_000_000),
        new OpenWriterScenario(LoadScenario.load(KEYED, 1, 200, 2)),
        new OutageScenario(KEYED, 5, 100, 10));
  }

  private static List<Scenario> growth() {
    return List.of(
        new BacklogScenario(KEYED, List.of(1_000, 10_000, 100_000, 1_000_000, 5_000_000), 200_000),
        new DeadRowsScenario(KEYED, List.of(0, 10_000, 100_000, 1_000_000), 500, 100_000),
        new HistoryScenario(KEYED, List.of(0, 1_000_000, 10_000_000), 200_000, 2),
        keys(300_000, List.of(1, 100, 10_000, 1_000_000)),
        relays(300_000, List.of(1, 2, 10, 50)),
        new IdleScenario(List.of(0, 1, 50), 20),
        poison(300_000, List.of(0, 1, 10)),
        steadyPoison(0, 20),
        steadyPoison(10, 20),
        payloads(List.of(100, 1_000, 10_000, 100_000, 1_000_000), 300_000_000));
  }

  private static Scenario keys(int messages, List<Integer> numbers) {
    List<Step> steps = new ArrayList<>();
    for (int keys : numbers) {
      Drains drains = Drains.of(new Workload.Shape(keys, 200, 0), Math.max(keys, messages));
      steps.add(new Step(Integer.toString(keys), drains));
    }
    return new GrowthScenario("keys", steps, ENDS, 2);
  }

  private static Scenario relays(int messages, List<Integer> numbers) {
    List<Step> steps = new ArrayList<>();
    for (int relays : numbers) {
      Drains drains = Drains.of(KEYED, messages).with("relays", Integer.toString(relays));
      steps.add(new Step(Integer.toString(relays), drains));
    }
    return new GrowthScenario("relays", steps, List.of(Contestant.ANGARIUM), 2);
  }

  private static Scenario poison(int messages, List<Integer> percents) {
    List<Step> steps = new ArrayList<>();
    for (int percent : percents) {
      Workload.Shape shape = new Workload.Shape(10_000, 200, percent);
      Drains drains = Drains.of(shape, messages).with("poison", "1");
      steps.add(new Step(percent + " %", drains));
    }
    return new GrowthScenario("poison", steps, List.of(Contestant.ANGARIUM), 2);
  }

  private static Scenario steadyPoison(int percent, int seconds) {
    Workload.Shape shape = new Workload.Shape(10_000, 200, percent);
    return new LoadScenario(
            "poison-steady",
            percent + " %",
            LoadScenario.load(shape, 1, 500, seconds),
            1,
            List.of(Contestant.ANGARIUM),
            List.of())
        .with(Map.of("poison", "1"));
  }

  private static Scenario payloads(List<Integer> sizes, long bytesOfAll) {
    List<Step> steps = new ArrayList<>();
    for (int bytes : sizes) {
      int messages = (int) Math.min(300_000, bytesOfAll / bytes);
      Drains drains = Drains.of(new Workload.Shape(10_000, bytes, 0), messages);
      steps.add(new Step(Integer.toString(bytes), drains));
    }
    return new GrowthScenario("payload", steps, ENDS, 2);
  }

  private static Scenario rate(int rate) {
    return new LoadScenario(
        "rate",
        rate + " tx/s",
        LoadScenario.load(KEYED, 1, rate, 15),
        1,
        List.of(Contestant.RAW_EAGER, Contestant.ANGARIUM),
        Contestant.PEERS);
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

  /**
   * Where the results are written.
   *
   * @param folder for those that nobody should read
   */
  Path output(Path folder) {
    return form.equals("smoke") ? folder : Path.of("docs", "performance");
  }
}
