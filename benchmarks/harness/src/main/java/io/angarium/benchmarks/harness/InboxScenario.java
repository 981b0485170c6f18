package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.InboxForm;
import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.List;

/**
 * One consumer that takes deliveries, none of which is a repeat: a row of the business for each,
 * and the note that it was processed.
 */
final class InboxScenario implements Scenario {
  /** Processor time of the consumer and the database together. */
  static final String CPU = "CPU us/msg";

  private static final List<Contestant> ARMS =
      List.of(Contestant.BARE, Contestant.RAW_INBOX, Contestant.INBOX);

  /** Deliveries of a batch. */
  private static final int BATCH = 200;

  /** As for inserts: the compiler of the JVM is busy for long. */
  private static final int WARM_UP_TIMES = 4;

  private static final Workload.Shape SHAPE = new Workload.Shape(0, 16, 0);

  private final int alone;
  private final int together;
  private final int pairs;

  /**
   * Sets it up.
   *
   * @param alone deliveries that are measured in transactions of their own
   * @param together deliveries that are measured in batches; a multiple of {@value #BATCH}
   * @param pairs times each arm is measured
   */
  InboxScenario(int alone, int together, int pairs) {
    this.alone = alone;
    this.together = together;
    this.pairs = pairs;
  }

  @Override
  public String name() {
    return "inbox";
  }

  private static int perTransaction(InboxForm form) {
    return form == InboxForm.BATCHED ? BATCH : 1;
  }

  private int messages(InboxForm form) {
    return form == InboxForm.BATCHED ? together : alone;
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    for (InboxForm form : InboxForm.values()) {
      Lineup.of(ARMS, pairs)
          .takeTurns(
              (arm, number) -> measure(stage, form, recorder.round(arm, form.key(), number)));
    }
    Counted.on(
        stage,
        meter -> {
          for (InboxForm form : InboxForm.values()) {
            Lineup.of(ARMS, 1)
                .takeTurns(
                    (arm, number) -> count(meter, form, recorder.round(arm, form.key(), number)));
          }
        });
  }

  private Load load(InboxForm form, long first, int messages) {
    return Load.fill(SHAPE, first, messages, perTransaction(form));
  }

  private void measure(Stage stage, InboxForm form, Recorder.Round round) throws Exception {
    int messages = messages(form);
    try (Trial trial = stage.open(round.arm(), form.options())) {
      Load.Result warm = trial.load(load(form, 0, WARM_UP_TIMES * messages));
      trial.settle();
      Usage before = trial.usage();
      Load.Result taken = trial.load(load(form, warm.next(), messages));
      Usage used = trial.usage().since(before);
      check(trial, (WARM_UP_TIMES + 1L) * messages);
      round
          .add("messages/s", taken.perSecond() * perTransaction(form))
          .add(CPU, (used.arm() + used.database()) / 1e3 / messages)
          .add("arm CPU us/msg", used.arm() / 1e3 / messages)
          .add("database CPU us/msg", used.database() / 1e3 / messages)
          .done();
    }
  }

  private void count(Counted.Meter meter, InboxForm form, Recorder.Round round) throws Exception {
    int messages = messages(form);
    try (Trial trial = meter.stage().open(round.arm(), form.options())) {
      Counted before = meter.read(trial);
      trial.load(load(form, 0, messages));
      Counted taken = meter.read(trial).since(before);
      check(trial, messages);
      round
          .add("statements/msg", (double) taken.counts().statements() / messages)
          .add("log bytes/msg", (double) taken.log() / messages)
          .done();
    }
  }

  /** Who lets effects out is not compared. */
  private static void check(Trial trial, long expected) {
    long effects = trial.left();
    if (effects != expected) {
      throw new IllegalStateException(effects + " effects of " + expected + " deliveries");
    }
  }
}
