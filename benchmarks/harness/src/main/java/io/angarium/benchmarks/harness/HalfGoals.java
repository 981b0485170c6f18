package io.angarium.benchmarks.harness;

import static io.angarium.benchmarks.harness.Goal.atLeast;
import static io.angarium.benchmarks.harness.Goal.atMost;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What half messages are to reach. */
final class HalfGoals {
  private static final String NUMBER = "B";
  private static final String MANY = "512";
  private static final List<Contestant> OTHERS =
      List.of(Contestant.NAIVE, Contestant.ROCKET_HALF, Contestant.ROCKET_HALF_ON_DISK);

  private HalfGoals() {}

  static List<Goal> all() {
    List<Goal> goals = new ArrayList<>();
    goals.add(
        atLeast(
            NUMBER,
            "half messages, embedded, 512 callers, times one transaction for each call",
            5,
            r -> ratio(r, Contestant.HALF, Contestant.RAW_HALF, MANY, HalfScenario.SPEED)));
    for (Contestant ours : List.of(Contestant.HTTP_HALF, Contestant.GRPC_HALF)) {
      for (Contestant other : OTHERS) {
        for (String callers : List.of("1", "8", "64", MANY)) {
          String what = "half messages, " + ours.name() + ", " + callers + " callers, ";
          goals.add(
              atLeast(
                  NUMBER,
                  what + HalfScenario.SPEED + " of " + other.name(),
                  1,
                  r -> ratio(r, ours, other, callers, HalfScenario.SPEED)));
          goals.add(
              atMost(
                  NUMBER,
                  what + HalfScenario.TAIL + " of " + other.name(),
                  1,
                  r -> ratio(r, ours, other, callers, HalfScenario.TAIL)));
        }
      }
    }
    return goals;
  }

  private static OptionalDouble ratio(
      Lookup results, Contestant ours, Contestant other, String callers, String metric) {
    return Lookup.divide(
        results.cell(HalfScenario.NAME, ours, callers, metric),
        results.cell(HalfScenario.NAME, other, callers, metric));
  }
}
