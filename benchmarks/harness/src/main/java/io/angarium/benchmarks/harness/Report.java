package io.angarium.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Writes what was measured: all figures as CSV, their medians as tables. */
final class Report {
  private final String form;
  private final Results results;

  Report(String form, Results results) {
    this.form = form;
    this.results = results;
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    ResultFiles.in(folder, form).write(results);
    Files.writeString(folder.resolve(form + ".md"), markdown(plots(folder)));
  }

  private List<String> plots(Path folder) throws IOException {
    Path plots = Files.createDirectories(folder.resolve(form));
    return new Plots(results, plots).draw();
  }

  private void goals(StringBuilder text) {
    text.append("\n## Goals\n\n|goal|measured|database|wanted|is|reached|\n|-|-|-|-:|-:|-|\n");
    for (Goal goal : Goals.all()) {
      for (String database : results.distinct(Measurement::database, m -> true)) {
        Lookup lookup = new Lookup(results, database);
        goal.measured().on(lookup).ifPresent(is -> goal(text, goal, lookup, is));
      }
    }
  }

  private static void goal(StringBuilder text, Goal goal, Lookup lookup, double is) {
    List<String> cells =
        List.of(
            goal.number(),
            goal.what(),
            lookup.database(),
            goal.limitText(),
            is(goal, lookup, is),
            reached(goal, is));
    text.append('|').append(String.join("|", cells)).append("|\n");
  }

  private static String is(Goal goal, Lookup lookup, double is) {
    if (Double.isNaN(is)) {
      return Figures.NOT_MEASURABLE;
    }
    OptionalDouble noise = goal.noise().on(lookup);
    return Figures.of(is)
        + (noise.isPresent() ? " (equal rounds: " + Figures.of(noise.getAsDouble()) + ")" : "");
  }

  private static String reached(Goal goal, double is) {
    if (Double.isNaN(is)) {
      return "–";
    }
    return goal.reachedBy(is) ? "yes" : "**no**";
  }

  private String markdown(List<String> plots) {
    StringBuilder text = new StringBuilder();
    text.append("# Results, ").append(form).append(" form\n\n");
    text.append("Written by the benchmarks; medians over the rounds.\n");
    runs(text);
    goals(text);
    failures(text);
    text.append("\n## Plots\n\n");
    plots.forEach(
        plot ->
            text.append("![")
                .append(plot)
                .append("](")
                .append(form)
                .append('/')
                .append(plot)
                .append(")\n"));
    for (String scenario : results.distinct(Measurement::scenario, m -> true)) {
      for (String database :
          results.distinct(Measurement::database, m -> m.scenario().equals(scenario))) {
        table(text, scenario, database);
      }
    }
    return text.toString();
  }

  private void runs(StringBuilder text) {
    Map<Run, Set<String>> runs = new LinkedHashMap<>();
    for (Section section : results.sections()) {
      runs.computeIfAbsent(results.run(section), run -> new LinkedHashSet<>())
          .add(section.scenario());
    }
    runs.forEach(
        (run, scenarios) ->
            text.append("\n* ")
                .append(run.began())
                .append(" (")
                .append(String.join(", ", scenarios))
                .append("): ")
                .append(run.machine()));
    text.append('\n');
  }

  private void failures(StringBuilder text) {
    for (Section section : results.sections()) {
      results
          .failures(section)
          .forEach(
              failure -> text.append("\n* FAILED: ").append(section).append(": ").append(failure));
    }
  }

  private void table(StringBuilder text, String scenario, String database) {
    Set<String> metrics = results.distinct(Measurement::metric, m -> m.isOf(scenario, database));
    text.append("\n## ").append(scenario).append(", ").append(database).append("\n\n|arm| |");
    metrics.forEach(metric -> text.append(metric).append('|'));
    text.append("\n|-|-|").append("-:|".repeat(metrics.size())).append('\n');
    results.all().stream()
        .filter(m -> m.isOf(scenario, database))
        .map(m -> List.of(m.arm(), m.parameter()))
        .distinct()
        .forEach(row -> line(text, scenario, database, row, metrics));
  }

  private void line(
      StringBuilder text, String scenario, String database, List<String> row, Set<String> metrics) {
    text.append('|').append(row.get(0)).append('|').append(row.get(1)).append('|');
    for (String metric : metrics) {
      OptionalDouble median = results.median(scenario, database, row.get(0), row.get(1), metric);
      text.append(median.isPresent() ? Figures.measured(median.getAsDouble()) : "").append('|');
    }
    text.append('\n');
  }
}
