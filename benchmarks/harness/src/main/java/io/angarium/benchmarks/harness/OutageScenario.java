package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.List;
import java.util.Map;

/**
 * The broker goes away while transactions go on, and comes back: nothing may be lost, and what has
 * gathered is sent at the speed of a drain. That is measured beside it, with as many messages of
 * the same transactions, from the first that is sent to the last, as after the outage; and once
 * more to a broker that has just been started, whose JVM is as cold as after the outage.
 */
final class OutageScenario implements Scenario {
  static final String NAME = "outage";
  static final String PLAIN = "plain drain";
  static final String STARTED = "broker just started";

  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int BEFORE_SECONDS = 5;
  private static final int WARM_UP = 300_000;
  private static final int THREADS = 4;

  private final Workload.Shape shape;
  private final int seconds;
  private final int rate;
  private final int perTransaction;
  private final int rounds;

  /** One of those that are compared. */
  private interface Course {
    /** Commits a backlog in a trial that is warm, sends it, and says how many there are in all. */
    long run(Trial trial, Recorder.Round round) throws Exception;
  }

  private record Named(String parameter, Course course) {}

  /**
   * @param seconds the broker is away
   * @param rate transactions per second meanwhile
   * @param rounds of an outage and of a plain drain
   */
  OutageScenario(Workload.Shape shape, int seconds, int rate, int perTransaction, int rounds) {
    this.shape = shape;
    this.seconds = seconds;
    this.rate = rate;
    this.perTransaction = perTransaction;
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** How an outage is named in the tables. */
  static String outage(int seconds) {
    return seconds + " s";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    Turns.take(
        List.of(
            new Named(PLAIN, (trial, round) -> drain(trial, round, () -> {})),
            new Named(STARTED, (trial, round) -> drain(trial, round, () -> restart(stage))),
            new Named(outage(seconds), (trial, round) -> outage(stage, trial, recorder, round))),
        rounds,
        (one, number) -> {
          try (Trial trial = stage.open(ARM, Map.of())) {
            Recorder.Round round = recorder.round(ARM, one.parameter(), number);
            trial.drain(trial.load(Load.fill(shape, 0, WARM_UP)).next(), Trial.patience(WARM_UP));
            long all = one.course().run(trial, round);
            trial.stop();
            round.count("dead", trial.database().number("SELECT count(*) FROM outbox_dead"));
            Faults faults = Faults.counted(all, trial.receiver().all());
            round.addFaults(faults.after(trial.unacknowledged())).done();
          }
        });
  }

  private static void restart(Stage stage) {
    stage.broker().server().stop();
    stage.broker().server().restart();
  }

  private long drain(Trial trial, Recorder.Round round, Runnable first) {
    long each = (long) rate * seconds / THREADS;
    trial.load(new Load(shape, THREADS, perTransaction, each, Integer.MAX_VALUE, 0, WARM_UP));
    long all = WARM_UP + each * THREADS * perTransaction;
    first.run();
    trial.start();
    send(trial, round, all, System.nanoTime());
    return all;
  }

  private long outage(Stage stage, Trial trial, Recorder recorder, Recorder.Round round)
      throws Exception {
    trial.start();
    Load load = Load.steady(shape, THREADS, perTransaction, rate, BEFORE_SECONDS + seconds);
    trial.beginLoad(load.part(WARM_UP, load.seconds()));
    trial.elapse(BEFORE_SECONDS);
    recorder.say("the broker is stopped");
    stage.broker().server().stop();
    Load.Result result = trial.endLoad();
    recorder.say("the broker is started again");
    long back = System.nanoTime();
    stage.broker().server().restart();
    long all = WARM_UP + result.committed() * perTransaction;
    round.count("failed tx", result.failed());
    send(trial, round, all, back);
    return all;
  }

  /** Notes how fast what is left is sent, from the first of it on. */
  private static void send(Trial trial, Recorder.Round round, long all, long began) {
    long before = trial.await(0, 1);
    trial.await(before + 1, 120);
    long first = System.nanoTime();
    long sent = trial.await(all, Trial.patience(all));
    long last = System.nanoTime();
    round.count("backlog", all - before).add("s until first sent", (first - began) / 1e9);
    round.add("messages/s", (sent - before) / ((last - first) / 1e9));
  }
}
