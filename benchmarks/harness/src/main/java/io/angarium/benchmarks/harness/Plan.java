package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.harness.GrowthScenario.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which scenarios are run, and how large. Immutable. */
record Plan(String form, List<Scenario> scenarios) {
  private static final Workload.Shape KEYED = new Workload.Shape(10_000, 200, 0);
  private static final Workload.Shape KEYLESS = new Workload.Shape(0, 200, 0);
  private static final List<Contestant> ENDS = List.of(Contestant.RAW, Contestant.ANGARIUM);
  private static final List<Contestant> INSERTS =
      List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.RAW_COLUMNS);
  private static final List<Contestant> EAGER = List.of(Contestant.RAW_EAGER, Contestant.ANGARIUM);
  private static final List<Contestant> LOADS =
      List.of(Contestant.BUSINESS, Contestant.RAW, Contestant.ANGARIUM);
  private static final List<Contestant> OURS = List.of(Contestant.ANGARIUM);

  /** Of half messages. */
  private static final List<Integer> CALLERS = List.of(1, 8, 64, 512);

  /** That do transactions at once. */
  private static final int THREADS = 8;

  static Plan of(String form) {
    return switch (form) {
      case "short" -> new Plan(form, brief());
      case "smoke" -> new Plan(form, smoke());
      case "full" -> new Plan(form, full());
      default ->
          throw new IllegalArgumentException(
              "benchmark.form: '" + form + "' (expected: short, full or smoke)");
    };
  }

  private static List<Scenario> brief() {
    return List.of(
        new EnqueueScenario(KEYED, 100, 100_000, Lineup.of(INSERTS, 2)),
        new DrainScenario("", KEYED, 300_000, 2_000, 8, new Lineup(ENDS, 2, Contestant.PEERS)),
        light("keyed", KEYED, 6, new Lineup(EAGER, 1, Contestant.PEERS)),
        light("keyless", KEYLESS, 6, Lineup.of(OURS, 1)),
        flatOut(1, 6, Lineup.of(ENDS, 1)),
        brokers(50_000, 120_000, 3, 2),
        new InboxScenario(3_000, 60_000, 3),
        new HalfScenario(CALLERS, 20, 5, 1));
  }

  private static List<Scenario> full() {
    List<Contestant> all = List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.ANGARIUM_TUNED);
    List<Contestant> peers = Contestant.PEERS_ALL;
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(new CostScenario(KEYED, 100_000, 5_000, new Lineup(ENDS, 1, Contestant.PEERS)));
    scenarios.add(new EnqueueScenario(KEYED, 1, 20_000, Lineup.of(ENDS, 4)));
    scenarios.add(new EnqueueScenario(KEYED, 100, 200_000, Lineup.of(INSERTS, 4)));
    scenarios.add(new DrainScenario("", KEYED, 500_000, 20_000, 6, new Lineup(all, 5, peers)));
    scenarios.add(light("keyed", KEYED, 20, new Lineup(EAGER, 2, peers)));
    scenarios.add(light("keyless", KEYLESS, 20, Lineup.of(EAGER, 2)));
    scenarios.add(flatOut(1, 15, new Lineup(LOADS, 2, peers)));
    scenarios.add(flatOut(10, 15, Lineup.of(LOADS, 2)));
    for (int rate : List.of(500, 1_000, 2_000)) {
      scenarios.add(rate(rate));
    }
    scenarios.add(brokers(100_000, 300_000, 6, 5));
    scenarios.add(new InboxScenario(10_000, 200_000, 5));
    scenarios.add(new HalfScenario(CALLERS, 30, 10, 3));
    scenarios.addAll(growth());
    scenarios.add(new OpenWriterScenario(load(KEYED, 1, 200, 60)));
    scenarios.add(new OutageScenario(KEYED, 60, 500, 10));
    return scenarios;
  }

  /** Everything, so small that its figures mean nothing: to see whether it still runs. */
  private static List<Scenario> smoke() {
    return List.of(
        new CostScenario(KEYED, 2_000, 200, new Lineup(ENDS, 1, Contestant.PEERS)),
        new EnqueueScenario(KEYED, 100, 2_000, Lineup.of(INSERTS, 1)),
        new DrainScenario("", KEYED, 2_000, 200, 1, new Lineup(ENDS, 1, Contestant.PEERS_ALL)),
        light("keyed", KEYED, 2, Lineup.of(EAGER, 1)),
        light("keyless", KEYLESS, 2, Lineup.of(EAGER, 1)),
        flatOut(1, 2, Lineup.of(LOADS, 1)),
        brokers(2_000, 2_000, 1, 1),
        new InboxScenario(200, 2_000, 1),
        new HalfScenario(List.of(1, 8), 1, 1, 1),
        new BacklogScenario(KEYED, List.of(1_000, 2_000), 3_000),
        new DeadRowsScenario(KEYED, List.of(0, 5_000), 50, 1_000),
        new HistoryScenario(KEYED, List.of(0, 5_000), 1_000, 1),
        keys(2_000, List.of(1, 100)),
        new RelaysScenario(KEYED, 2_000, List.of(1, 5), 1),
        new IdleScenario(List.of(0, 5), 3),
        poison(20_000, List.of(0, 10)),
        steadyPoison(10, 2),
        payloads(List.of(100, 1_000_000), 3_000_000),
        new OpenWriterScenario(load(KEYED, 1, 200, 2)),
        new OutageScenario(KEYED, 5, 100, 10));
  }

  private static List<Scenario> growth() {
    return List.of(
        new BacklogScenario(KEYED, List.of(1_000, 10_000, 100_000, 1_000_000, 5_000_000), 100_000),
        new DeadRowsScenario(KEYED, List.of(0, 10_000, 100_000, 1_000_000), 500, 100_000),
        new HistoryScenario(KEYED, List.of(0, 1_000_000, 10_000_000), 200_000, 2),
        keys(300_000, List.of(1, 100, 10_000, 1_000_000)),
        new RelaysScenario(KEYED, 300_000, List.of(1, 2, 10, 50), 2),
        new IdleScenario(List.of(0, 1, 50), 20),
        poison(300_000, List.of(0, 1, 10)),
        steadyPoison(0, 20),
        steadyPoison(10, 20),
        payloads(List.of(100, 1_000, 10_000, 100_000, 1_000_000), 300_000_000));
  }

  private static Scenario brokers(int rabbit, int rocket, int warmUps, int pairs) {
    List<BrokersScenario.Step> steps =
        List.of(
            new BrokersScenario.Step(BrokerKind.RABBITMQ, rabbit),
            new BrokersScenario.Step(BrokerKind.ROCKETMQ, rocket));
    return new BrokersScenario(KEYED, steps, warmUps, Lineup.of(ENDS, pairs));
  }

  private static Scenario keys(int messages, List<Integer> numbers) {
    return growth(
        "keys",
        1,
        ENDS,
        numbers,
        keys -> {
          Workload.Shape shape = new Workload.Shape(keys, 200, 0);
          return step(keys, Drains.of(shape, Math.max(keys, messages)));
        });
  }

  private static Scenario poison(int messages, List<Integer> percents) {
    return growth(
        "poison",
        2,
        OURS,
        percents,
        percent ->
            new Step(percent + " %", Drains.of(poisoned(percent), messages).with("poison", "1")));
  }

  private static Scenario payloads(List<Integer> sizes, long bytesOfAll) {
    return growth(
        "payload",
        1,
        ENDS,
        sizes,
        bytes -> {
          Workload.Shape shape = new Workload.Shape(10_000, bytes, 0);
          return step(bytes, Drains.of(shape, Math.min(300_000, bytesOfAll / bytes)));
        });
  }

  private static Scenario growth(
      String name,
      int rounds,
      List<Contestant> arms,
      List<Integer> sizes,
      Function<Integer, Step> step) {
    return new GrowthScenario(name, sizes.stream().map(step).toList(), arms, rounds);
  }

  private static Step step(int parameter, Drains drains) {
    return new Step(Integer.toString(parameter), drains);
  }

  private static Workload.Shape poisoned(int percent) {
    return new Workload.Shape(10_000, 200, percent);
  }

  private static Scenario steadyPoison(int percent, int seconds) {
    Load load = load(poisoned(percent), 1, 500, seconds);
    return LoadScenario.of("poison-steady", percent + " %", load, Lineup.of(OURS, 1))
        .with(Map.of("poison", "1"));
  }

  private static Scenario rate(int rate) {
    Lineup lineup = new Lineup(EAGER, 1, Contestant.PEERS);
    return LoadScenario.of("rate", rate + " tx/s", load(KEYED, 1, rate, 15), lineup);
  }

  private static Scenario light(
      String parameter, Workload.Shape shape, int seconds, Lineup lineup) {
    return LoadScenario.of("light", parameter, load(shape, 1, 50, seconds), lineup);
  }

  private static Scenario flatOut(int perTransaction, int seconds, Lineup lineup) {
    return LoadScenario.of(
        "flat-out",
        perTransaction + " per transaction",
        load(KEYED, perTransaction, 0, seconds),
        lineup);
  }

  private static Load load(Workload.Shape shape, int perTransaction, int rate, int seconds) {
    return Load.steady(shape, THREADS, perTransaction, rate, seconds);
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
