package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which scenarios are run, and how large. Immutable.
 *
 * @param scenarios that run if none is named
 * @param others that run only if they are named: they would take longer than the form may
 */
record Plan(String form, List<Scenario> scenarios, List<Scenario> others) {
  private static final String ALL = "all";
  private static final Workload.Shape KEYED = new Workload.Shape(10_000, 200, 0);
  private static final Workload.Shape KEYLESS = new Workload.Shape(0, 200, 0);
  private static final List<Contestant> ENDS = List.of(Contestant.RAW, Contestant.ANGARIUM);
  private static final List<Contestant> INSERTS =
      List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.RAW_COLUMNS);
  private static final List<Contestant> EAGER =
      List.of(Contestant.RAW_HANDOFF_EAGER, Contestant.ANGARIUM);
  private static final List<Contestant> LOADS =
      List.of(Contestant.BUSINESS, Contestant.RAW, Contestant.RAW_HANDOFF, Contestant.ANGARIUM);
  private static final List<Contestant> LOOPS =
      List.of(Contestant.RAW, Contestant.RAW_HANDOFF, Contestant.ANGARIUM);
  private static final List<Contestant> OURS = List.of(Contestant.ANGARIUM);

  /** Of half messages. */
  private static final List<Integer> CALLERS = List.of(1, 8, 64, 512);

  /** On one database. */
  private static final List<Integer> NODES = List.of(2, 5, 10);

  /** That do transactions at once. */
  private static final int THREADS = 8;

  static Plan of(String form) {
    return switch (form) {
      case "short" -> new Plan(form, brief(), briefIfNamed());
      case "smoke" -> new Plan(form, smoke(), List.of());
      case "full" -> new Plan(form, full(), List.of());
      default ->
          throw new IllegalArgumentException(
              "benchmark.form: '" + form + "' (expected: short, full or smoke)");
    };
  }

  /**
   * Those that are wanted.
   *
   * @param names of scenarios; {@code all} for those that run if none is named
   */
  List<Scenario> wanted(Set<String> names) {
    List<String> unknown = names.stream().filter(name -> !known().contains(name)).sorted().toList();
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "benchmark.scenarios: %s (expected in the form %s: some of %s)"
              .formatted(unknown, form, known()));
    }
    Stream<Scenario> all = scenarios.stream().filter(s -> names.contains(ALL) || isIn(names, s));
    return Stream.concat(all, others.stream().filter(s -> isIn(names, s))).toList();
  }

  private static boolean isIn(Set<String> names, Scenario scenario) {
    return names.contains(scenario.name());
  }

  /** What can be named. */
  private Set<String> known() {
    Set<String> known = new LinkedHashSet<>(Set.of(ALL));
    known.addAll(order());
    return known;
  }

  /** Names of all scenarios, in the order of the tables. */
  List<String> order() {
    return Stream.concat(scenarios.stream(), others.stream())
        .map(Scenario::name)
        .distinct()
        .toList();
  }

  private static List<Scenario> brief() {
    return List.of(
        new EnqueueScenario(KEYED, 100, 60_000, Lineup.of(ENDS, 2)),
        new DrainScenario("", KEYED, 300_000, 2_000, 5, new Lineup(ENDS, 2, Contestant.PEERS)),
        light("keyed", KEYED, 6, new Lineup(EAGER, 1, Contestant.PEERS)),
        light("keyless", KEYLESS, 6, Lineup.of(OURS, 1)),
        flatOut(1, 6, Lineup.of(LOOPS, 1)));
  }

  /** Each takes minutes: with them the short form would be no short one. */
  private static List<Scenario> briefIfNamed() {
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(brokers(50_000, 120_000, 3, 2));
    scenarios.add(new InboxScenario(3_000, 60_000, 3));
    scenarios.add(new HalfScenario(CALLERS, 20, 5, 1));
    scenarios.addAll(nodes(NODES, 12, 1));
    return scenarios;
  }

  /** Nodes that are told of their own transactions alone: most keys belong to another one. */
  private static List<Scenario> nodes(List<Integer> counts, int seconds, int rounds) {
    Load load = load(KEYED, 1, 50, seconds);
    return counts.stream()
        .<Scenario>map(
            count ->
                LoadScenario.of("nodes", count.toString(), load, Lineup.of(OURS, rounds))
                    .with(Map.of("relays", count.toString(), "apart", "1")))
        .toList();
  }

  private static List<Scenario> full() {
    List<Contestant> all = List.of(Contestant.RAW, Contestant.ANGARIUM, Contestant.ANGARIUM_TUNED);
    List<Contestant> peers = Contestant.PEERS_ALL;
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(new CostScenario(KEYED, 100_000, 5_000, new Lineup(ENDS, 1, Contestant.PEERS)));
    scenarios.add(new EnqueueScenario(KEYED, 1, 20_000, Lineup.of(ENDS, 4)));
    scenarios.add(new EnqueueScenario(KEYED, 100, 200_000, Lineup.of(INSERTS, 4)));
    scenarios.add(new DrainScenario("", KEYED, 500_000, 20_000, 6, new Lineup(all, 5, peers)));
    scenarios.add(light("keyed", KEYED, 20, new Lineup(EAGER, 2, peers).withPeerRounds(2)));
    scenarios.add(
        light("keyless", KEYLESS, 20, new Lineup(EAGER, 2, Contestant.PEERS).withPeerRounds(2)));
    scenarios.add(flatOut(1, 15, new Lineup(LOADS, 2, peers)));
    scenarios.add(flatOut(10, 15, Lineup.of(LOADS, 2)));
    for (int rate : List.of(500, 1_000, 2_000)) {
      scenarios.add(rate(rate));
    }
    scenarios.add(brokers(100_000, 300_000, 6, 5));
    scenarios.add(new InboxScenario(10_000, 200_000, 5));
    scenarios.add(new HalfScenario(CALLERS, 30, 10, 3));
    scenarios.addAll(growth());
    scenarios.addAll(nodes(NODES, 20, 2));
    scenarios.add(new OpenWriterScenario(load(KEYED, 1, 200, 60)));
    scenarios.add(new OutageScenario(KEYED, 60, 500, 10, 2));
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
        new BacklogScenario(KEYED, List.of(1_000, 2_000), 3_000, 1),
        new DeadRowsScenario(KEYED, List.of(0, 5_000), 50, 1_000, 1),
        new HistoryScenario(KEYED, List.of(0, 5_000), 1_000, 1),
        Growth.keys(2_000, List.of(1, 100)),
        new RelaysScenario(KEYED, 2_000, List.of(1, 5), 1),
        new IdleScenario(List.of(0, 5), 3),
        Growth.poison(20_000, List.of(0, 10)),
        nodes(List.of(2), 2, 1).get(0),
        steadyPoison(10, 2),
        Growth.payloads(List.of(100, 1_000_000), 3_000_000),
        new OpenWriterScenario(load(KEYED, 1, 200, 2)),
        new OutageScenario(KEYED, 5, 100, 10, 1));
  }

  private static List<Scenario> growth() {
    return List.of(
        new BacklogScenario(
            KEYED, List.of(1_000, 10_000, 100_000, 1_000_000, 5_000_000), 100_000, 2),
        new DeadRowsScenario(KEYED, List.of(0, 10_000, 100_000, 1_000_000), 500, 100_000, 5),
        new HistoryScenario(KEYED, List.of(0, 1_000_000, 10_000_000), 200_000, 5),
        Growth.keys(300_000, List.of(1, 100, 10_000, 1_000_000)),
        new RelaysScenario(KEYED, 300_000, List.of(1, 2, 10, 50), 2),
        new IdleScenario(List.of(0, 1, 10, 50), 20),
        Growth.poison(300_000, List.of(0, 1, 10)),
        steadyPoison(0, 20),
        steadyPoison(10, 20),
        Growth.payloads(List.of(100, 1_000, 10_000, 100_000, 1_000_000), 300_000_000));
  }

  private static Scenario brokers(int rabbit, int rocket, int warmUps, int pairs) {
    List<BrokersScenario.Step> steps =
        List.of(
            new BrokersScenario.Step(BrokerKind.RABBITMQ, rabbit),
            new BrokersScenario.Step(BrokerKind.ROCKETMQ, rocket));
    return new BrokersScenario(KEYED, steps, warmUps, Lineup.of(ENDS, pairs));
  }

  private static Scenario steadyPoison(int percent, int seconds) {
    Load load = load(Growth.poisoned(percent), 1, 500, seconds);
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

  /** Sends through the broker before anything counts, so that its JVM is as warm for all. */
  void warmUpBroker(Stage stage) throws Exception {
    int messages = form.equals("smoke") ? 1_000 : 300_000;
    boolean byHand = stage.kind() != DatabaseKind.MYSQL; // there are no loops by hand for it
    Drains.of(KEYED, messages).warmUp(stage, byHand ? Contestant.RAW : Contestant.ANGARIUM);
    stage.dismissAll(); // the arms start cold, all of them
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
