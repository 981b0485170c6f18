package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  private static final String DATABASE = "PostgreSQL";

  private final Results results = new Results();

  @Test
  void writesTablesFiguresAndPlots(@TempDir Path folder) throws IOException {
    add("drain", "raw", "", 200_000);
    add("drain", "angarium", "", 100_000);
    add("keys", "angarium", "1", 50_000);
    add("keys", "angarium", "100", 60_000);
    results.fail(new Section("drain", DATABASE), "lost 3");

    new Report("short", results).write(folder);

    assertThat(folder.resolve("short.md"))
        .content()
        .contains("|P1|drain, of the loop by hand|PostgreSQL|≥ 0.85|0.50|**no**|")
        .contains("|angarium||100,000|")
        .contains("FAILED: drain, PostgreSQL: lost 3")
        .contains("* 2026-11-22T05:00:00Z (drain, keys): cores 2, Java 17");
    assertThat(folder.resolve("short.csv"))
        .content()
        .contains("keys,PostgreSQL,angarium,100,1,messages/s,60000.0");
    assertThat(Files.readAllBytes(folder.resolve("short/drain-messages-s.png")))
        .startsWith(0x89, 'P', 'N', 'G');
    assertThat(folder.resolve("short/keys-messages-s.png")).isNotEmptyFile();
  }

  @Test
  void costsBelowNothingAreNotMeasurable(@TempDir Path folder) throws IOException {
    add("idle", "angarium", "0", 3, "database percent of a core");
    add("idle", "angarium", "50", 2, "database percent of a core");
    add("backlog", "angarium", "1000", -0.5, "database CPU us/msg");
    add("backlog", "angarium", "10000", 2, "database CPU us/msg");

    new Report("full", results).write(folder);

    assertThat(folder.resolve("full.md"))
        .content()
        .contains("|PostgreSQL|≤ 1|not measurable|–|")
        .contains("|angarium|1000|not measurable|", "|angarium|10000|2|")
        .doesNotContain("-0.5");
  }

  @Test
  void noiseOfEqualRoundsStandsBesideWhatIsJudged(@TempDir Path folder) throws IOException {
    add("open-writer", "angarium", "none", 5, "p50 ms");
    add("open-writer", "angarium", "none", 6, "p50 ms");
    add("open-writer", "angarium", "open all the time", 5.75, "p50 ms");

    new Report("full", results).write(folder);

    assertThat(folder.resolve("full.md"))
        .content()
        .contains("p50 ms more than without|PostgreSQL|≤ 0.50|0.25 (equal rounds: 1)|yes|");
  }

  @Test
  void eachBrokerHasItsPlotAndItsVersionStandsWithTheRun(@TempDir Path folder) throws IOException {
    add("drain", "raw", "", 200_000);
    add("brokers", "raw", "rabbitmq", 40_000);
    Section brokers = new Section("brokers", DATABASE);
    results.with(brokers, "RabbitMQ 4.1");
    results.with(brokers, "RabbitMQ 4.1");

    new Report("short", results).write(folder);

    assertThat(folder.resolve("short.md"))
        .content()
        .contains("* 2026-11-22T05:00:00Z (drain): cores 2, Java 17\n")
        .contains("* 2026-11-22T05:00:00Z (brokers): cores 2, Java 17, RabbitMQ 4.1\n");
    assertThat(folder.resolve("short/brokers-rabbitmq-messages-s.png")).isNotEmptyFile();
    assertThat(folder.resolve("short/brokers-rocketmq-messages-s.png")).doesNotExist();
  }

  @Test
  void laterRunReplacesOnlyWhatItMeasures(@TempDir Path folder) throws IOException {
    add("drain", "angarium", "", 100_000);
    add("keys", "angarium", "1", 50_000);
    results.fail(new Section("keys", DATABASE), "lost 3");
    new Report("full", results).write(folder);
    Results later = new Results();
    ResultFiles.in(folder, "full").readInto(later);
    Section drain = new Section("drain", DATABASE);
    later.begin(drain, new Run("2026-11-23T05:00:00Z", "cores 8"));
    later.add(new Measurement(drain, "angarium", "", 1, "messages/s", 300_000));
    later.sort(List.of("drain", "keys"));

    new Report("full", later).write(folder);

    assertThat(folder.resolve("full.md"))
        .content()
        .contains("* 2026-11-23T05:00:00Z (drain): cores 8")
        .contains("* 2026-11-22T05:00:00Z (keys): cores 2, Java 17")
        .contains("FAILED: keys, PostgreSQL: in an earlier run")
        .contains("|angarium||300,000|", "|angarium|1|50,000|")
        .doesNotContain("100,000");
  }

  @Test
  void figuresOfUnknownRunsAreNotOverwritten(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("full.csv"), "what\n");

    assertThatThrownBy(() -> ResultFiles.in(folder, "full").readInto(results))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("full.csv", "full.runs.csv", "delete");
  }

  @Test
  void namesWithACommaAreRefused() {
    assertThatThrownBy(() -> add("idle", "angarium", "", 1, "database, percent"))
        .hasMessageContaining("database, percent");
  }

  @Test
  void figuresInAnotherFormAreNotRead(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("full.runs.csv"), "what\n");

    assertThatThrownBy(() -> ResultFiles.in(folder, "full").readInto(results))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("full.runs.csv", "'what'", "expected", "delete the file");
  }

  private void add(String scenario, String arm, String parameter, double value) {
    add(scenario, arm, parameter, value, "messages/s");
  }

  private void add(String scenario, String arm, String parameter, double value, String metric) {
    Section section = new Section(scenario, DATABASE);
    if (!results.sections().contains(section)) {
      results.begin(section, new Run("2026-11-22T05:00:00Z", "cores 2, Java 17"));
    }
    results.add(new Measurement(section, arm, parameter, 1, metric, value));
  }
}
