package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Business transactions while the relay runs: how many, and how soon the consumer has theirs. */
final class LoadScenario implements Scenario {
  private static final int WARM_UP_SECONDS_MAX = 10;
  private static final int REST_SECONDS_MAX = 15;

  private final String name;
  private final String parameter;
  private final Load load;
  private final int pairs;
  private final List<Contestant> arms;
  private final List<Contestant> peers;
  private Map<String, String> options = Map.of();
  private Company company = (trial, topic) -> () -> {};

  /** Something that goes on beside the load. */
  interface Company {
    /** Begins it; closing ends it. */
    AutoCloseable begin(Trial trial, String topic) throws Exception;
  }

  /**
   * @param load its numbers begin anew for each arm
   * @param pairs times each arm is measured; peers once
   */
  LoadScenario(
      String name,
      String parameter,
      Load load,
      int pairs,
      List<Contestant> arms,
      List<Contestant> peers) {
    this.name = name;
    this.parameter = parameter;
    this.load = load;
    this.pairs = pairs;
    this.arms = List.copyOf(arms);
    this.peers = List.copyOf(peers);
  }

  /** A load of 8 threads. */
  static Load load(Workload.Shape shape, int perTransaction, int rate, int seconds) {
    return new Load(shape, 8, perTransaction, Long.MAX_VALUE / 2, seconds, rate, 0);
  }

  /** The same under another parameter. */
  LoadScenario as(String other) {
    return new LoadScenario(name, other, load, pairs, arms, peers);
  }

  /** Has something go on beside the load. */
  LoadScenario during(Company beside) {
    this.company = beside;
    return this;
  }

  /** Options for the arms. */
  LoadScenario with(Map<String, String> all) {
    this.options = Map.copyOf(all);
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    List<Contestant> order = new ArrayList<>(arms);
    for (int pair = 1; pair <= pairs; pair++) {
      for (Contestant arm : order) {
        measure(stage, recorder, arm, pair);
      }
      Collections.reverse(order);
    }
    for (Contestant peer : peers) {
      try {
        measure(stage, recorder, peer, 1);
      } catch (Exception e) {
        recorder.failed(peer, parameter, e);
      } finally {
        stage.dismiss(peer);
      }
    }
  }

  private void measure(Stage stage, Recorder recorder, Contestant arm, int number)
      throws Exception {
    try (Trial trial = stage.open(arm, options)) {
      Receiver receiver = trial.receiver().start();
      trial.start();
      Load.Result warm = trial.load(starting(0, Math.min(WARM_UP_SECONDS_MAX, load.seconds())));
      if (arm.equals(Contestant.BUSINESS)) {
        Load.Result result = trial.load(starting(warm.next(), load.seconds()));
        recorder.round(arm, parameter, number).add("tx/s", result.perSecond()).done();
        receiver.stop();
        return;
      }
      trial.await(warm.committed() * load.perTransaction(), restSeconds());
      trial.settle();
      measure(trial, receiver, recorder.round(arm, parameter, number), warm.next());
    }
  }

  private void measure(Trial trial, Receiver receiver, Recorder.Round round, long first)
      throws Exception {
    long before = receiver.arrived();
    Usage start = trial.usage();
    Load.Result result = load(trial, first);
    long inTime = receiver.arrived() - before;
    Usage used = trial.usage().since(start);
    long messages = result.committed() * load.perTransaction();
    round.add("tx/s", result.perSecond()).add("delivered/s", inTime / (result.nanos() / 1e9));
    round.count("backlog at end", messages - inTime).addUsage(used, messages);
    trial.await(before + messages, restSeconds());
    trial.stop();
    receiver.stop();
    Latencies latencies = Latencies.of(trial.committed(), receiver, first, result.next());
    round.add("p50 ms", latencies.millis(50)).add("p95 ms", latencies.millis(95));
    round.add("p99 ms", latencies.millis(99)).add("max ms", latencies.millis(100));
    boolean settled = trial.left() == 0;
    round.count("undelivered", latencies.lost());
    round.count("failed tx", result.failed());
    round.addFaults(settled ? latencies.lost() : 0, receiver.duplicates(), receiver.disorder());
    round.done();
  }

  /** How long what is still on its way is waited for. */
  private int restSeconds() {
    return Math.min(REST_SECONDS_MAX, load.seconds());
  }

  private Load.Result load(Trial trial, long first) throws Exception {
    AutoCloseable beside = company.begin(trial, trial.topic());
    try {
      trial.beginLoad(starting(first, load.seconds()));
      return trial.endLoad();
    } finally {
      beside.close();
    }
  }

  private Load starting(long first, int seconds) {
    return new Load(
        load.shape(),
        load.threads(),
        load.perTransaction(),
        load.transactions(),
        seconds,
        load.rate(),
        first);
  }
}
