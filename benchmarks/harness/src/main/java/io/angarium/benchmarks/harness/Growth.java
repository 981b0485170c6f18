package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.harness.GrowthScenario.Step;
import java.util.List;
import java.util.function.Function;

/** The scenarios in which one property of the messages grows. */
final class Growth {
  private static final List<Contestant> ENDS = List.of(Contestant.RAW, Contestant.ANGARIUM);
  private static final List<Contestant> OURS = List.of(Contestant.ANGARIUM);

  /** Drains of each arm before the first that counts. */
  private static final int WARM_UPS = 4;

  /** Once while it grows, once while it shrinks. */
  private static final int PAIRS = 2;

  private Growth() {}

  static Scenario keys(int messages, List<Integer> numbers) {
    return growth(
        "keys",
        ENDS,
        numbers,
        keys -> {
          Workload.Shape shape = new Workload.Shape(keys, 200, 0);
          return step(keys, Drains.of(shape, Math.max(keys, messages)), numbers.get(0), 0);
        });
  }

  static Scenario poison(int messages, List<Integer> percents) {
    return growth(
        "poison",
        OURS,
        percents,
        percent -> {
          Drains drains = Drains.of(poisoned(percent), messages).with("poison", "1");
          return new Step(percent + " %", drains, percent.equals(percents.get(0)) ? WARM_UPS : 0);
        });
  }

  static Scenario payloads(List<Integer> sizes, long bytesOfAll) {
    return growth(
        "payload",
        ENDS,
        sizes,
        bytes -> {
          Workload.Shape shape = new Workload.Shape(10_000, bytes, 0);
          Drains drains = Drains.of(shape, Math.min(300_000, bytesOfAll / bytes));
          return step(bytes, drains, sizes.get(0), 1); // a size takes ways of its own
        });
  }

  private static Scenario growth(
      String name, List<Contestant> arms, List<Integer> sizes, Function<Integer, Step> step) {
    return new GrowthScenario(name, sizes.stream().map(step).toList(), arms, PAIRS);
  }

  /** The first step finds the JVMs of the arms cold. */
  private static Step step(int parameter, Drains drains, int first, int warmUps) {
    return new Step(Integer.toString(parameter), drains, parameter == first ? WARM_UPS : warmUps);
  }

  static Workload.Shape poisoned(int percent) {
    return new Workload.Shape(10_000, 200, percent);
  }
}
