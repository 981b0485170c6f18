package io.angarium.benchmarks.harness;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;

/** The medians of one database. Immutable. */
record Lookup(Results results, String database) {
  /** One cell. */
  OptionalDouble cell(String scenario, Contestant arm, String parameter, String metric) {
    return results.median(scenario, database, arm.name(), parameter, metric);
  }

  /** A cell of the arm that has to reach the goals. */
  OptionalDouble ours(String scenario, String parameter, String metric) {
    return cell(scenario, Contestant.ANGARIUM, parameter, metric);
  }

  /** True if an arm's cell was measured. */
  boolean has(Contestant arm, String scenario, String parameter, String metric) {
    return cell(scenario, arm, parameter, metric).isPresent();
  }

  /** Ours divided by another arm's. */
  OptionalDouble against(Contestant other, String scenario, String parameter, String metric) {
    return divide(ours(scenario, parameter, metric), cell(scenario, other, parameter, metric));
  }

  /** Ours at one parameter divided by ours at another. */
  OptionalDouble between(String scenario, String parameter, String base, String metric) {
    return divide(ours(scenario, parameter, metric), ours(scenario, base, metric));
  }

  /** The best of some arms. */
  OptionalDouble best(
      List<Contestant> arms,
      String scenario,
      String parameter,
      String metric,
      DoubleBinaryOperator better) {
    return arms.stream()
        .map(arm -> cell(scenario, arm, parameter, metric))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .filter(value -> !Double.isNaN(value))
        .reduce(better);
  }

  /** The largest of ours over all parameters divided by the smallest; some parameters left out. */
  OptionalDouble spread(String scenario, String metric, List<String> without) {
    double[] values =
        results.distinct(Measurement::parameter, m -> m.isOf(scenario, database)).stream()
            .filter(parameter -> !without.contains(parameter))
            .map(parameter -> ours(scenario, parameter, metric))
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .sorted()
            .toArray();
    return values.length < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(ratio(values[values.length - 1], values[0]));
  }

  /** The largest and the smallest of our rounds, compared; empty if there are fewer than two. */
  OptionalDouble apart(
      String scenario, String parameter, String metric, DoubleBinaryOperator compared) {
    double[] rounds =
        results.rounds(scenario, database, Contestant.ANGARIUM.name(), parameter, metric);
    Arrays.sort(rounds);
    return rounds.length < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(compared.applyAsDouble(rounds[rounds.length - 1], rounds[0]));
  }

  /** One divided by another; no number if that cannot be told from nothing. */
  static OptionalDouble divide(OptionalDouble one, OptionalDouble by) {
    return one.isPresent() && by.isPresent()
        ? OptionalDouble.of(ratio(one.getAsDouble(), by.getAsDouble()))
        : OptionalDouble.empty();
  }

  private static double ratio(double one, double by) {
    return one < 0 || by <= 0 ? Double.NaN : one / by;
  }

  /** What something costs over what is there without it; no number if it comes out below 0. */
  static OptionalDouble cost(OptionalDouble with, OptionalDouble without) {
    OptionalDouble cost = minus(with, without);
    return cost.isPresent() && cost.getAsDouble() < 0 ? OptionalDouble.of(Double.NaN) : cost;
  }

  static OptionalDouble minus(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() - other.getAsDouble())
        : OptionalDouble.empty();
  }
}
