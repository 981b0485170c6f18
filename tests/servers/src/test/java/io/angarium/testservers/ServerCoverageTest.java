package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A server that cannot be had is reported by name, or fails the tests that require it. */
class ServerCoverageTest {
  /** Tests that the planted run cannot have a server for. */
  @RequiresServer(Server.MYSQL)
  @Tag("planted")
  static class NeedsMySqlCase {
    @Test
    void runs() {}
  }

  /** Runs the case above and prints how often it was started, skipped and failed. */
  static final class Run {
    private Run() {}

    public static void main(String[] arguments) {
      var results =
          EngineTestKit.engine("junit-jupiter")
              .selectors(DiscoverySelectors.selectClass(NeedsMySqlCase.class))
              .execute()
              .allEvents();
      System.out.printf(
          "run started=%d skipped=%d failed=%d%n",
          results.stream()
              .filter(event -> event.getTestDescriptor().isTest())
              .filter(event -> event.getType().name().equals("STARTED"))
              .count(),
          results.skipped().count(),
          results.failed().count());
    }
  }

  @Test
  void leavesTheTestsOutAndReportsTheServerByName(@TempDir Path folder) {
    String outcome = runWithoutAnyServer(folder, Map.of());

    assertThat(outcome).isEqualTo("started=0 skipped=1 failed=0");
    assertThat(report(folder, "planted"))
        .contains("MySQL       NOT COVERED")
        .contains("left out: io.angarium.testservers.ServerCoverageTest$NeedsMySqlCase")
        .contains("ANGARIUM_TEST_MYSQL");
  }

  @Test
  void failsTheTestsWhenTheServerIsRequired(@TempDir Path folder) {
    Map<String, String> required = Map.of("ANGARIUM_REQUIRE_SERVERS", "postgresql, mysql");

    assertThat(runWithoutAnyServer(folder, required)).isEqualTo("started=0 skipped=0 failed=1");
    assertThat(runWithoutAnyServer(folder, Map.of("ANGARIUM_REQUIRE_SERVERS", "all")))
        .isEqualTo("started=0 skipped=0 failed=1");
    assertThat(runWithoutAnyServer(folder, Map.of("ANGARIUM_REQUIRE_SERVERS", "kafka")))
        .isEqualTo("started=0 skipped=1 failed=0");
  }

  @Test
  void runsTheTestsWhereTheServerIsNamed(@TempDir Path folder) {
    Map<String, String> named = Map.of("ANGARIUM_TEST_MYSQL", "jdbc:mysql://127.0.0.1:1/none");

    assertThat(runWithoutAnyServer(folder, named)).isEqualTo("started=1 skipped=0 failed=0");
  }

  @Test
  void leavesOutWhatSomebodyDoesNotUseForNow(@TempDir Path folder) {
    String named = "jdbc:mysql://127.0.0.1:1/none";

    assertThat(
            runWithoutAnyServer(
                folder,
                Map.of("ANGARIUM_TEST_MYSQL", named, "ANGARIUM_TEST_SERVERS", "postgresql, kafka")))
        .isEqualTo("started=0 skipped=1 failed=0");
    assertThat(report(folder, "planted")).contains("ANGARIUM_TEST_SERVERS leaves it out");
    assertThat(
            runWithoutAnyServer(
                folder,
                Map.of("ANGARIUM_TEST_MYSQL", named, "ANGARIUM_TEST_SERVERS", "kafka,mysql")))
        .isEqualTo("started=1 skipped=0 failed=0");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void reportsVersionAndOriginOfWhatWasUsed(@TempDir Path folder) throws Exception {
    Map<String, String> environment =
        Map.of("ANGARIUM_SERVER_COVERAGE", folder.toString(), "ANGARIUM_BUILD", "planted");
    try (ChildJvm user = ChildJvm.start(ServerLifeTest.Beginner.class, environment)) {
      String version = user.await("version ");
      assertThat(user.exitCode()).isZero();

      assertThat(report(folder, "planted")).contains("PostgreSQL  " + version + " (MAVEN)");
      assertThat(report(folder, "another")).contains("PostgreSQL  NOT COVERED");
    }
  }

  @Test
  void endsTheBuildWhenARequiredServerWasNotUsed(@TempDir Path folder) throws Exception {
    Map<String, String> required = Map.of("ANGARIUM_REQUIRE_SERVERS", "kafka");
    try (ChildJvm report =
        ChildJvm.start(ServerCoverageReport.class, required, folder.toString())) {
      assertThat(report.remainingOutput()).contains("Kafka       NOT COVERED (but required)");
      assertThat(report.exitCode()).isEqualTo(1);
    }
    try (ChildJvm report =
        ChildJvm.start(
            ServerCoverageReport.class,
            Map.of("ANGARIUM_REQUIRE_SERVERS", ""),
            folder.toString())) {
      assertThat(report.exitCode()).isZero();
    }
  }

  /** No server can come from nowhere: only a named one is allowed. */
  private static String runWithoutAnyServer(Path folder, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ANGARIUM_REQUIRE_SERVERS", "");
    environment.put("ANGARIUM_TEST_ORIGINS", "named");
    environment.put("ANGARIUM_TEST_SERVERS", "");
    environment.put("ANGARIUM_SERVER_COVERAGE", folder.toString());
    environment.put("ANGARIUM_BUILD", "planted");
    environment.putAll(more);
    try (ChildJvm child = ChildJvm.start(Run.class, environment)) {
      return child.await("run ");
    }
  }

  private static String report(Path folder, String build) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    List<Server> missing =
        ServerCoverageReport.print(
            folder, build, new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(missing).isNotEmpty();
    return printed.toString(StandardCharsets.UTF_8);
  }
}
