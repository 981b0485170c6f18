package io.angarium.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildReportTest {
  private static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  private static final Instant THIS_BUILD = START.plusSeconds(60);

  @TempDir private Path root;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void testsOfAllModulesAreCounted() throws IOException {
    write("core", THIS_BUILD, 3, "");
    write("tests/crash", THIS_BUILD, 4, "");

    boolean complete = report();

    assertThat(complete).isTrue();
    assertThat(printed()).contains("Tests run: 7, Failures: 0, Errors: 0, Skipped: 0");
  }

  @Test
  void aSkippedTestFailsTheBuildAndIsNamed() throws IOException {
    write("core", THIS_BUILD, 3, "<skipped message=\"not today\"/>");

    boolean complete = report();

    assertThat(complete).isFalse();
    assertThat(printed()).contains("OutboxTest.sends: not today").contains("Skipped: 1");
  }

  @Test
  void aTestSkippedWithoutAnyWordFailsTheBuild() throws IOException {
    write("core", THIS_BUILD, 3, "<skipped/>");

    boolean complete = report();

    assertThat(complete).isFalse();
    assertThat(printed()).contains("OutboxTest.sends: no reason given");
  }

  @Test
  void aTestWithoutItsServerIsLeftToTheServerReport() throws IOException {
    write("core", THIS_BUILD, 3, "<skipped message=\"MySQL NOT COVERED ==> no program\"/>");

    boolean complete = report();

    assertThat(complete).isTrue();
    assertThat(printed()).contains("Skipped: 1");
  }

  @Test
  void reportsOfAnEarlierBuildDoNotCount() throws IOException {
    write("core", START.minusSeconds(1), 3, "");

    boolean complete = report();

    assertThat(complete).isFalse();
    assertThat(printed()).contains("No test of this build was found").contains("Tests run: 0");
  }

  private boolean report() {
    return BuildReport.print(
        TestReport.readAll(root, START), new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private void write(String module, Instant written, int tests, String outcome) throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Path file =
        Files.writeString(
            folder.resolve("TEST-OutboxTest.xml"),
            """
            <testsuite tests="%d" failures="0" errors="0" skipped="0">
              <testcase classname="OutboxTest" name="sends">%s</testcase>
            </testsuite>
            """
                .formatted(tests, outcome));
    Files.setLastModifiedTime(file, FileTime.from(written));
  }
}
