package io.angarium.benchmarks.harness;

import java.util.List;

/** The same drain again and again, with one thing growing. */
final class GrowthScenario implements Scenario {
  private final String name;
  private final List<Step> steps;
  private final List<Contestant> arms;
  private final int pairs;

  /**
   * One size of what grows.
   *
   * @param parameter the size, as in the table
   */
  record Step(String parameter, Drains drains) {}

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
    recorder.say("warming up");
    for (Contestant arm : arms) {
      steps.get(0).drains().warmUp(stage, arm);
    }
    for (int pair = 1; pair <= pairs; pair++) {
      for (Step step : steps) {
        for (Contestant arm : arms) {
          step.drains().measure(stage, recorder.round(arm, step.parameter(), pair));
        }
      }
    }
  }
}
