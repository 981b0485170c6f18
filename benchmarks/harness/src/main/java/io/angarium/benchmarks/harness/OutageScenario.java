package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.Map;

/**
 * The broker goes away while transactions go on, and comes back: nothing may be lost, and what has
 * gathered is sent at the speed of a drain.
 */
final class OutageScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int BEFORE_SECONDS = 5;
  private static final int WARM_UP = 300_000;
  private static final int THREADS = 4;

  private final Workload.Shape shape;
  private final int seconds;
  private final int rate;
  private final int perTransaction;

  /**
   * @param seconds the broker is away
   * @param rate transactions per second meanwhile
   */
  OutageScenario(Workload.Shape shape, int seconds, int rate, int perTransaction) {
    this.shape = shape;
    this.seconds = seconds;
    this.rate = rate;
    this.perTransaction = perTransaction;
  }

  @Override
  public String name() {
    return "outage";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    try (Trial trial = stage.open(ARM, Map.of())) {
      trial.drain(trial.load(Load.fill(shape, 0, WARM_UP)).next(), Trial.patience(WARM_UP));
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
      recover(trial, recorder, result, back);
    }
  }

  private void recover(Trial trial, Recorder recorder, Load.Result result, long back)
      throws Exception {
    long all = WARM_UP + result.committed() * perTransaction;
    long before = trial.await(0, 1);
    trial.await(before + 1, 120); // the first one after the outage
    long first = System.nanoTime();
    long sent = trial.await(all, Trial.patience(all));
    long last = System.nanoTime();
    trial.stop();
    Receiver received = trial.receiver().all();
    Recorder.Round round = recorder.round(ARM, seconds + " s", 1);
    round.count("backlog", all - before).add("s until first sent", (first - back) / 1e9);
    round.add("messages/s", (sent - before) / ((last - first) / 1e9));
    round.count("dead", trial.database().number("SELECT count(*) FROM outbox_dead"));
    round.count("failed tx", result.failed());
    long lost = all - received.arrived();
    round.addFaults(lost, received.duplicates(), received.disorder()).done();
  }
}
