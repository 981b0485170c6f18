package io.angarium.benchmarks.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Everything that was measured, in order. Not thread-safe. */
final class Results {
  private final List<Measurement> all = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  void add(Measurement measurement) {
    all.add(measurement);
  }

  /** Notes something that must not be: a lost message, a broken order, an arm that failed. */
  void fail(String what) {
    failures.add(what);
  }

  List<Measurement> all() {
    return List.copyOf(all);
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** The different values of a property of those that match, in order of appearance. */
  Set<String> distinct(Function<Measurement, String> property, Predicate<Measurement> wanted) {
    Set<String> found = new LinkedHashSet<>();
    all.stream().filter(wanted).map(property).forEach(found::add);
    return found;
  }

  /** The median over the rounds; empty if it was not measured. */
  OptionalDouble median(
      String scenario, String database, String arm, String parameter, String metric) {
    return median(
        all.stream()
            .filter(m -> m.isOf(scenario, database))
            .filter(m -> m.arm().equals(arm) && m.parameter().equals(parameter))
            .filter(m -> m.metric().equals(metric))
            .mapToDouble(Measurement::value)
            .toArray());
  }

  /** The median of some values; empty if there are none. */
  static OptionalDouble median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    boolean odd = sorted.length % 2 == 1;
    return OptionalDouble.of(odd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
  }
}
