package io.angarium.benchmarks.harness;

import static io.angarium.benchmarks.harness.Goal.atMost;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;

/** What a transaction that stays open may cost the others: nothing but noise. */
final class OpenWriterGoals {
  private static final String NUMBER = "P8";
  private static final String WITH = OpenWriterScenario.WITH;
  private static final String WITHOUT = OpenWriterScenario.WITHOUT;
  private static final String CPU = "database CPU us/msg";

  private OpenWriterGoals() {}

  static List<Goal> all() {
    return List.of(
        delay("p50 ms", 0.5),
        delay("p99 ms", 2),
        atMost(
                NUMBER,
                "writer open for 60 s, database CPU/msg of that without",
                1.1,
                r -> r.between(OpenWriterScenario.NAME, WITH, WITHOUT, CPU))
            .beside(r -> widest(r, CPU, (max, min) -> max / min)));
  }

  private static Goal delay(String metric, double limit) {
    return atMost(
            NUMBER,
            "writer open for 60 s, " + metric + " more than without",
            limit,
            r ->
                Lookup.minus(
                    r.ours(OpenWriterScenario.NAME, WITH, metric),
                    r.ours(OpenWriterScenario.NAME, WITHOUT, metric)))
        .beside(r -> widest(r, metric, (max, min) -> max - min));
  }

  /** How far two rounds are apart that do the same. */
  private static OptionalDouble widest(Lookup results, String metric, DoubleBinaryOperator apart) {
    return Stream.of(WITH, WITHOUT)
        .map(parameter -> results.apart(OpenWriterScenario.NAME, parameter, metric, apart))
        .flatMapToDouble(OptionalDouble::stream)
        .max();
  }
}
