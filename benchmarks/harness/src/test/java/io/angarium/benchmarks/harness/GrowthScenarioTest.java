package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.harness.GrowthScenario.Cell;
import io.angarium.benchmarks.harness.GrowthScenario.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GrowthScenarioTest {
  private static final Drains DRAINS = Drains.of(new Workload.Shape(1, 16, 0), 1);

  private final List<String> done = new ArrayList<>();

  @Test
  void everySecondPairShrinksWithTheArmsInTheOppositeOrder() throws Exception {
    run(2, new Step("S", DRAINS, 0), new Step("L", DRAINS, 0));

    assertThat(done)
        .containsExactly(
            "S raw 1",
            "S angarium 1",
            "L raw 1",
            "L angarium 1",
            "L angarium 2",
            "L raw 2",
            "S angarium 2",
            "S raw 2");
  }

  @Test
  void bothArmsAreWarmBeforeTheFirstIsMeasuredAtAStepAndOnlyThen() throws Exception {
    run(2, new Step("S", DRAINS, 2), new Step("L", DRAINS, 1));

    assertThat(done)
        .containsExactly(
            "warm S raw",
            "warm S angarium",
            "warm S angarium",
            "warm S raw",
            "S raw 1",
            "S angarium 1",
            "warm L raw",
            "warm L angarium",
            "L raw 1",
            "L angarium 1",
            "L angarium 2",
            "L raw 2",
            "S angarium 2",
            "S raw 2");
  }

  private void run(int pairs, Step... steps) throws Exception {
    List<Contestant> arms = List.of(Contestant.RAW, Contestant.ANGARIUM);
    new GrowthScenario("keys", List.of(steps), arms, pairs)
        .run(
            (cell, number) -> done.add("warm " + text(cell)),
            (cell, pair) -> done.add(text(cell) + " " + pair));
  }

  private static String text(Cell cell) {
    return cell.step().parameter() + " " + cell.arm().name();
  }
}
