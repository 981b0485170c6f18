package io.angarium.report;

import io.angarium.testservers.ServerCoverageReport;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Prints at the end of a build how many tests ran and which servers they used. Exit code 1 when a
 * test was skipped for any other reason than a server that cannot be had, or when no test ran.
 *
 * <pre>java -cp ... io.angarium.report.BuildReport root-folder build</pre>
 *
 * <p>The build is the time at which it began, such as {@code 2026-11-21T07:00:00Z}; the JVMs of its
 * tests have it as system property {@code angarium.build}. Reports of earlier builds are left out.
 */
public final class BuildReport {
  private BuildReport() {}

  /**
   * Prints the report to the standard output.
   *
   * @param arguments the root folder of the project and the build
   */
  public static void main(String[] arguments) {
    Path root = Path.of(arguments[0]);
    String build = arguments[1];
    boolean complete = print(TestReport.readAll(root, Instant.parse(build)), System.out);
    ServerCoverageReport.main(
        new String[] {root.resolve("target").resolve("server-coverage").toString(), build});
    if (!complete) {
      System.exit(1);
    }
  }

  /** Prints the tests and returns whether all that had to run did. */
  static boolean print(List<TestReport> reports, PrintStream out) {
    List<SkippedTest> unexplained =
        reports.stream()
            .flatMap(report -> report.skipped().stream())
            .filter(skipped -> !skipped.isForWantOfAServer())
            .toList();
    out.println();
    unexplained.forEach(
        skipped -> out.printf("Skipped without a reason that counts: %s%n", skipped));
    if (reports.isEmpty()) {
      out.println("No test of this build was found: run mvn verify in the root folder.");
    }
    out.printf(
        "All modules: Tests run: %d, Failures: %d, Errors: %d, Skipped: %d%n%n",
        sum(reports, TestReport::tests),
        sum(reports, TestReport::failures),
        sum(reports, TestReport::errors),
        sum(reports, report -> report.skipped().size()));
    return unexplained.isEmpty() && !reports.isEmpty();
  }

  private static int sum(List<TestReport> reports, ToIntFunction<TestReport> count) {
    return reports.stream().mapToInt(count).sum();
  }
}
