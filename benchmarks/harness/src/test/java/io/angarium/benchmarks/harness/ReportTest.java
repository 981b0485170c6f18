package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  private final Results results = new Results();

  @Test
  void writesTablesFiguresAndPlots(@TempDir Path folder) throws IOException {
    add("drain", "raw", "", 200_000);
    add("drain", "angarium", "", 100_000);
    add("keys", "angarium", "1", 50_000);
    add("keys", "angarium", "100", 60_000);
    results.fail("drain: lost 3");

    new Report("short", new Machine(Map.of("cores", "2")), results).write(folder);

    assertThat(folder.resolve("short.md"))
        .content()
        .contains("|P1|drain, of the loop by hand|PostgreSQL|≥ 0.85|0.50|**no**|")
        .contains("|angarium||100,000|")
        .contains("FAILED: drain: lost 3")
        .contains("cores 2");
    assertThat(folder.resolve("short.csv"))
        .content()
        .contains("keys,PostgreSQL,angarium,100,1,messages/s,60000.0");
    assertThat(Files.readAllBytes(folder.resolve("short/drain-messages-s.png")))
        .startsWith(0x89, 'P', 'N', 'G');
    assertThat(folder.resolve("short/keys-messages-s.png")).isNotEmptyFile();
  }

  private void add(String scenario, String arm, String parameter, double value) {
    results.add(new Measurement(scenario, "PostgreSQL", arm, parameter, 1, "messages/s", value));
  }
}
