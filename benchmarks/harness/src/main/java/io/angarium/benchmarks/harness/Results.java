package io.angarium.benchmarks.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Everything that was measured, section by section. Not thread-safe. */
final class Results {
  private final Map<Section, Content> sections = new LinkedHashMap<>();

  private record Content(Run run, List<Measurement> figures, List<String> failures) {}

  /** Begins a section, in the place of what an earlier run had in it. */
  void begin(Section section, Run run) {
    sections.put(section, new Content(run, new ArrayList<>(), new ArrayList<>()));
  }

  /** Notes something more that a section was run with. */
  void with(Section section, String fact) {
    Content content = content(section);
    Run run = content.run();
    if (!run.machine().contains(fact)) {
      Run more = new Run(run.began(), run.machine() + ", " + fact);
      sections.put(section, new Content(more, content.figures(), content.failures()));
    }
  }

  /** Adds a figure to a section that was begun. */
  void add(Measurement measurement) {
    content(measurement.section()).figures().add(measurement);
  }

  /** Notes something that must not be: a lost message, a broken order, an arm that failed. */
  void fail(Section section, String what) {
    content(section).failures().add(what);
  }

  private Content content(Section section) {
    return Objects.requireNonNull(sections.get(section), section::toString);
  }

  /** Puts the scenarios in this order; those that are not named come last. */
  void sort(List<String> scenarios) {
    List<Section> order = new ArrayList<>(sections.keySet());
    order.sort(
        Comparator.comparing(
            section ->
                scenarios.contains(section.scenario())
                    ? scenarios.indexOf(section.scenario())
                    : scenarios.size()));
    order.forEach(section -> sections.put(section, sections.remove(section)));
  }

  Set<Section> sections() {
    return Collections.unmodifiableSet(sections.keySet());
  }

  Run run(Section section) {
    return content(section).run();
  }

  List<String> failures(Section section) {
    return List.copyOf(content(section).failures());
  }

  List<Measurement> all() {
    return sections.values().stream().flatMap(content -> content.figures().stream()).toList();
  }

  /** The different values of a property of those that match, in order of appearance. */
  Set<String> distinct(Function<Measurement, String> property, Predicate<Measurement> wanted) {
    Set<String> found = new LinkedHashSet<>();
    all().stream().filter(wanted).map(property).forEach(found::add);
    return found;
  }

  /** The median over the rounds; empty if it was not measured. */
  OptionalDouble median(
      String scenario, String database, String arm, String parameter, String metric) {
    return median(rounds(scenario, database, arm, parameter, metric));
  }

  /** The values of all rounds, in their order. */
  double[] rounds(String scenario, String database, String arm, String parameter, String metric) {
    return all().stream()
        .filter(m -> m.isOf(scenario, database))
        .filter(m -> m.arm().equals(arm) && m.parameter().equals(parameter))
        .filter(m -> m.metric().equals(metric))
        .mapToDouble(Measurement::value)
        .toArray();
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
