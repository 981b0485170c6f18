package io.angarium.benchmarks.harness;

import java.util.List;

/**
 * The same drain again and again, with one thing growing. In each second pair it shrinks, and the
 * arms take turns in the opposite order.
 */
final class GrowthScenario implements Scenario {
  private final String name;
  private final List<Step> steps;
  private final List<Contestant> arms;
  private final int pairs;

  /**
   * One size of what grows.
   *
   * @param parameter the size, as in the table
   * @param warmUps drains of each arm before the first that counts at this size
   */
  record Step(String parameter, Drains drains, int warmUps) {}

  /** One step by one arm. */
  record Cell(Step step, Contestant arm) {}

  /**
   * @param pairs times each arm is measured at each step
   */
  GrowthScenario(String name, List<Step> steps, List<Contestant> arms, int pairs) {
    this.name = name;
    this.steps = List.copyOf(steps);
    this.arms = List.copyOf(arms);
    this.pairs = pairs;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    run(
        (cell, pair) -> {
          recorder.say("warming up");
          cell.step().drains().warmUp(stage, cell.arm());
        },
        (cell, pair) -> {
          Recorder.Round round = recorder.round(cell.arm(), cell.step().parameter(), pair);
          cell.step().drains().measure(stage, round);
        });
  }

  /** All arms are warm before the first of them is measured at a step. */
  void run(Turns.Turn<Cell> warmUp, Turns.Turn<Cell> measure) throws Exception {
    Turns.take(
        steps.stream().flatMap(step -> cells(step).stream()).toList(),
        pairs,
        (cell, pair) -> {
          if (pair == 1 && cell.arm().equals(arms.get(0))) {
            Turns.take(cells(cell.step()), cell.step().warmUps(), warmUp);
          }
          measure.take(cell, pair);
        });
  }

  private List<Cell> cells(Step step) {
    return arms.stream().map(arm -> new Cell(step, arm)).toList();
  }
}
