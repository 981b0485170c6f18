package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Drains of a committed backlog: filled while no relay runs, then sent by a relay started anew; the
 * clock runs from its start until all is sent and settled. Afterwards the topic is checked.
 *
 * @param messages of the backlog
 * @param options for the arm
 * @param secondsMax after which a drain is cut short
 */
record Drains(Workload.Shape shape, long messages, Map<String, String> options, int secondsMax) {
  /** A backlog that nobody adds to while it is drained. */
  static Drains of(Workload.Shape shape, long messages) {
    return new Drains(shape, messages, Map.of("writers", "0"), Trial.patience(messages));
  }

  Drains cutAfter(int seconds) {
    return new Drains(shape, messages, options, seconds);
  }

  Drains with(String option, String value) {
    Map<String, String> more = new LinkedHashMap<>(options);
    more.put(option, value);
    return new Drains(shape, messages, more, secondsMax);
  }

  /** Drains without noting anything, to warm up. */
  void warmUp(Stage stage, Contestant arm) throws Exception {
    try (Trial trial = stage.open(arm, options)) {
      trial.load(fill());
      trial.drain(sendable(), secondsMax);
    }
  }

  /** Drains and notes what it took. */
  void measure(Stage stage, Recorder.Round round) throws Exception {
    try (Trial trial = stage.open(round.arm(), options)) {
      Load fill = fill();
      Load.Result filled = trial.load(fill);
      trial.settle();
      Usage before = trial.usage();
      Trial.Drained drained = trial.drain(sendable(), secondsMax);
      round.add("messages/s", drained.perSecond());
      round.add("sent/s", drained.sentPerSecond());
      round.addUsage(trial.usage().since(before), drained.sent());
      round.add("enqueued/s", filled.perSecond() * fill.perTransaction());
      Receiver received = trial.receiver().all();
      boolean complete = drained.sent() >= sendable();
      if (!complete) {
        round.count("sent before cut", drained.sent());
      }
      Faults faults = faults(received).after(trial.unacknowledged());
      round.addFaults(complete ? faults : faults.unlessUnderWay());
      if (complete) {
        round.addLeft(trial.left());
      }
      round.done();
    }
  }

  private Faults faults(Receiver received) {
    return shape.poisonPercent() == 0
        ? Faults.of(messages, received)
        : Faults.counted(sendable(), received);
  }

  /** Messages that are no poison, if they are spread evenly over the keys. */
  private long sendable() {
    return messages * (100 - shape.poisonPercent()) / 100;
  }

  private Load fill() {
    return Load.fill(shape, 0, messages);
  }
}
