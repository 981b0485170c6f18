package io.angarium.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * All figures as CSV, and which run they are of, so that a run of some scenarios leaves those of
 * the others standing. Immutable.
 *
 * @param figures one line for each number
 * @param runs one line for each section
 */
record ResultFiles(Path figures, Path runs) {
  private static final String FIGURES = "scenario,database,arm,parameter,round,metric,value";
  private static final String RUNS = "scenario,database,began,failures,machine";

  static ResultFiles in(Path folder, String form) {
    return new ResultFiles(folder.resolve(form + ".csv"), folder.resolve(form + ".runs.csv"));
  }

  /** Adds what earlier runs have left; nothing if there is none. */
  void readInto(Results results) throws IOException {
    if (!Files.exists(runs) && !Files.exists(figures)) {
      return;
    }
    if (!Files.exists(runs)) {
      throw new IOException(
          figures + ": there is no " + runs.getFileName() + " (expected: both); delete it");
    }
    for (String line : lines(runs, RUNS)) {
      String[] cells = line.split(",", 5);
      Section section = new Section(cells[0], cells[1]);
      results.begin(section, new Run(cells[2], cells[4]));
      failures(Integer.parseInt(cells[3])).forEach(failure -> results.fail(section, failure));
    }
    for (String line : lines(figures, FIGURES)) {
      results.add(measurement(line.split(",", 7)));
    }
  }

  private static Stream<String> failures(int number) {
    return Stream.generate(() -> "in an earlier run").limit(number);
  }

  private static Measurement measurement(String[] cells) {
    return new Measurement(
        new Section(cells[0], cells[1]),
        cells[2],
        cells[3],
        Integer.parseInt(cells[4]),
        cells[5],
        Double.parseDouble(cells[6]));
  }

  private static List<String> lines(Path file, String header) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty() || !lines.get(0).equals(header)) {
      throw new IOException(
          file
              + ": first line '"
              + (lines.isEmpty() ? "" : lines.get(0))
              + "' (expected: '"
              + header
              + "'); delete the file to begin anew");
    }
    return lines.subList(1, lines.size());
  }

  void write(Results results) throws IOException {
    Files.write(figures, with(FIGURES, results.all().stream().map(ResultFiles::line)));
    Files.write(runs, with(RUNS, results.sections().stream().map(s -> line(results, s))));
  }

  private static List<String> with(String header, Stream<String> lines) {
    return Stream.concat(Stream.of(header), lines).toList();
  }

  private static String line(Measurement m) {
    return String.join(
        ",",
        m.section().scenario(),
        m.section().database(),
        m.arm(),
        m.parameter(),
        Integer.toString(m.round()),
        m.metric(),
        Double.toString(m.value()));
  }

  private static String line(Results results, Section section) {
    Run run = results.run(section);
    return String.join(
        ",",
        section.scenario(),
        section.database(),
        run.began(),
        Integer.toString(results.failures(section).size()),
        run.machine());
  }
}
