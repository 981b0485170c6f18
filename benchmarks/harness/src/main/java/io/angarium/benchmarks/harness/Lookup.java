package io.angarium.benchmarks.harness;

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

  /** Ours in one scenario divided by ours in another, if they are of the same run. */
  OptionalDouble across(String scenario, String parameter, String base, String metric) {
    boolean comparable =
        results.comparable(new Section(scenario, database), new Section(base, database));
    return comparable
        ? divide(ours(scenario, parameter, metric), ours(base, "", metric))
        : OptionalDouble.empty();
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
        : OptionalDouble.of(values[values.length - 1] / values[0]);
  }

  static OptionalDouble divide(OptionalDouble one, OptionalDouble by) {
    return one.isPresent() && by.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / by.getAsDouble())
        : OptionalDouble.empty();
  }

  static OptionalDouble minus(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() - other.getAsDouble())
        : OptionalDouble.empty();
  }
}
