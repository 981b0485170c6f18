package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.brokers.Broker;
import io.angarium.testservers.ServerOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Callers that prepare a message and commit it, each pair after the other: in the database itself,
 * at a server, and at RocketMQ. An arm is opened once a round, warmed up by many and by few
 * callers, and measured with each number of them in turn.
 */
final class HalfScenario implements Scenario {
  static final String NAME = "half";
  static final String SPEED = "pairs/s";
  static final String TAIL = "p99 ms";

  private static final ServerOptions ON_DISK =
      Benchmarks.SERVERS.setting("flushDiskType", "SYNC_FLUSH");

  private static final Workload.Shape SHAPE = new Workload.Shape(0, 300, 0);

  /** Many, and few: requests of one call are others than those of many. */
  private static final List<Integer> WARM_UP_CALLERS = List.of(512, 64, 8, 1);

  private final List<Integer> callers;
  private final int warmUpSeconds;
  private final int seconds;
  private final int pairs;

  /**
   * Sets it up.
   *
   * @param callers numbers of them, one after the other
   * @param warmUpSeconds before, with each of a few numbers of callers
   * @param seconds with each number of callers
   * @param pairs times each arm is measured
   */
  HalfScenario(List<Integer> callers, int warmUpSeconds, int seconds, int pairs) {
    this.callers = List.copyOf(callers);
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
    this.pairs = pairs;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    try (Broker rocket = Broker.start(BrokerKind.ROCKETMQ, Benchmarks.SERVERS);
        Broker onDisk = Broker.start(BrokerKind.ROCKETMQ, ON_DISK);
        Stage rocketStage = stage.on(rocket);
        Stage onDiskStage = stage.on(onDisk)) {
      recorder.with(rocket.title(), rocket.server().version());
      Map<Contestant, Stage> others =
          Map.of(Contestant.ROCKET_HALF, rocketStage, Contestant.ROCKET_HALF_ON_DISK, onDiskStage);
      Lineup.of(Contestant.HALVES, pairs)
          .takeTurns(
              (arm, number) -> measure(others.getOrDefault(arm, stage), arm, recorder, number));
    }
    Contestant.HALVES.forEach(stage::dismiss);
  }

  private void measure(Stage stage, Contestant arm, Recorder recorder, int number)
      throws Exception {
    try (Trial trial = stage.open(arm, Map.of())) {
      long first = 0;
      long committed = 0;
      for (int count : WARM_UP_CALLERS) {
        Load.Result done = trial.load(load(count, warmUpSeconds, first));
        first = done.next();
        committed += done.committed();
      }
      for (int count : callers) {
        trial.settle();
        Usage before = trial.usage();
        Load.Result done = trial.load(load(count, seconds, first));
        Usage used = trial.usage().since(before);
        first = done.next();
        committed += done.committed();
        note(recorder.round(arm, Integer.toString(count), number), done, used);
      }
      check(trial, arm, committed, recorder);
    }
  }

  private static Load load(int callers, int seconds, long first) {
    return Load.steady(SHAPE, callers, 1, 0, seconds).part(first, seconds);
  }

  private static void note(Recorder.Round round, Load.Result result, Usage used) {
    if (result.failed() > 0) {
      throw new IllegalStateException(
          round.arm().name() + ": " + result.failed() + " pairs failed");
    }
    round
        .add(SPEED, result.perSecond())
        .add("p50 ms", result.half() / 1e6)
        .add(TAIL, result.most() / 1e6)
        .add("callers CPU us/pair", used.arm() / 1e3 / result.committed())
        .add("server CPU us/pair", used.children() / 1e3 / result.committed())
        .add("database CPU us/pair", used.database() / 1e3 / result.committed())
        .add("broker CPU us/pair", used.broker() / 1e3 / result.committed())
        .add("log bytes/pair", (double) used.log() / result.committed())
        .done();
  }

  /** Every pair is there: in the database, or at the consumer where the arm sends. */
  private static void check(Trial trial, Contestant arm, long committed, Recorder recorder)
      throws Exception {
    if (!Contestant.HALVES_THAT_SEND.contains(arm)) {
      if (trial.left() != committed) {
        throw new IllegalStateException(trial.left() + " messages of " + committed + " pairs");
      }
      return;
    }
    Receiver receiver = trial.receiver().start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Trial.patience(committed));
    while (receiver.arrived() < committed && System.nanoTime() < end) {
      trial.elapse(1);
    }
    receiver.stop();
    recorder.round(arm, "all", 1).addFaults(Faults.counted(committed, receiver)).done();
  }
}
