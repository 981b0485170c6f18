package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import java.util.Map;

/**
 * Business transactions while the relay runs: how many, and how soon the consumer has theirs.
 * Immutable.
 *
 * @param load its numbers begin anew for each arm
 * @param options for the arms
 * @param company what goes on beside the load
 */
record LoadScenario(
    String name,
    String parameter,
    Load load,
    Lineup lineup,
    Map<String, String> options,
    Company company)
    implements Scenario {
  private static final int WARM_UP_SECONDS_MAX = 10;

  /** The producers leave the compiler of the JVM little to work with. */
  private static final int WARM_UP_SECONDS_FLAT_OUT = 15;

  private static final int WARM_UP_RATE_MIN = 200;

  /** How long what is still on its way is waited for. */
  private static final int REST_SECONDS = 15;

  /** Copies the options. */
  LoadScenario {
    options = Map.copyOf(options);
  }

  /** Something that goes on beside the load. */
  interface Company {
    /** Nothing. */
    Company NONE = trial -> () -> {};

    /** Begins it; closing ends it. */
    AutoCloseable begin(Trial trial) throws Exception;
  }

  /** The load alone, with arms as they are. */
  static LoadScenario of(String name, String parameter, Load load, Lineup lineup) {
    return new LoadScenario(name, parameter, load, lineup, Map.of(), Company.NONE);
  }

  /** Options for the arms. */
  LoadScenario with(Map<String, String> all) {
    return new LoadScenario(name, parameter, load, lineup, all, company);
  }

  /** The same under another parameter, with something that goes on beside the load. */
  LoadScenario during(String other, Company beside) {
    return new LoadScenario(name, other, load, lineup, options, beside);
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    Lineup.Turn turn =
        (contestant, number) -> measure(stage, recorder.round(contestant, parameter, number));
    lineup.takeTurns(turn);
    lineup.measurePeers(recorder, parameter, turn, stage::dismiss);
  }

  /** One round of one arm. */
  void measure(Stage stage, Recorder.Round round) throws Exception {
    try (Trial trial = stage.open(round.arm(), options)) {
      Receiver receiver = trial.receiver().start();
      trial.start();
      Load.Result warm = trial.load(warmUp());
      if (round.arm().equals(Contestant.BUSINESS)) {
        Load.Result result = trial.load(load.part(warm.next(), load.seconds()));
        round.add("tx/s", result.perSecond()).done();
        receiver.stop();
        return;
      }
      trial.await(warm.committed() * load.perTransaction(), REST_SECONDS);
      trial.settle();
      measure(trial, receiver, round, warm);
    }
  }

  /** The load, but not so light that the code would still be interpreted after it. */
  private Load warmUp() {
    return load.rate() == 0
        ? load.part(0, WARM_UP_SECONDS_FLAT_OUT)
        : load.part(0, Math.min(WARM_UP_SECONDS_MAX, load.seconds())).atLeast(WARM_UP_RATE_MIN);
  }

  private void measure(Trial trial, Receiver receiver, Recorder.Round round, Load.Result warm)
      throws Exception {
    long first = warm.next();
    long before = receiver.arrived();
    Usage start = trial.usage();
    Load.Result result = load(trial, first);
    long inTime = receiver.arrived() - before;
    Usage used = trial.usage().since(start);
    long messages = result.committed() * load.perTransaction();
    round.add("tx/s", result.perSecond()).add("delivered/s", inTime / (result.nanos() / 1e9));
    round.count("backlog at end", messages - inTime).addUsage(used, messages);
    trial.await(before + messages, REST_SECONDS);
    trial.stop();
    receiver.stop();
    Latencies latencies = Latencies.of(trial.committed(), receiver, first, result.next());
    round.add("p50 ms", latencies.millis(50)).add("p95 ms", latencies.millis(95));
    round.add("p99 ms", latencies.millis(99)).add("max ms", latencies.millis(100));
    boolean settled = trial.left() == 0;
    round.count("undelivered", latencies.lost());
    round.count("failed tx", result.failed());
    long lostBefore = Math.max(0, sendable(warm) - receiver.below(first));
    Faults faults = Faults.of(latencies, lostBefore, receiver).after(trial.unacknowledged());
    round.addFaults(settled ? faults : faults.unlessUnderWay()).done();
  }

  /**
   * Messages of the warm-up of which each must arrive; with poison nobody knows which those are.
   */
  private long sendable(Load.Result warm) {
    return load.shape().poisonPercent() > 0 ? 0 : warm.committed() * load.perTransaction();
  }

  private Load.Result load(Trial trial, long first) throws Exception {
    AutoCloseable beside = company.begin(trial);
    try {
      trial.beginLoad(load.part(first, load.seconds()));
      return trial.endLoad();
    } finally {
      beside.close();
    }
  }
}
