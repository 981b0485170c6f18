package io.angarium.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reasons that say the same of different messages have one cause, and no others have. */
class CauseTest {
  /** Reasons as the transports and handlers give them, in paragraphs of one cause each. */
  private static List<List<String>> reasons() throws IOException {
    List<List<String>> causes = new ArrayList<>(List.of(new ArrayList<>()));
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                CauseTest.class.getResourceAsStream("reasons.txt"), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isBlank()) {
          causes.add(new ArrayList<>());
        } else {
          causes.get(causes.size() - 1).add(line);
        }
      }
    }
    return causes;
  }

  @Test
  void reasonsOfOneCauseAndNoOthersHaveItsFingerprint() throws IOException {
    Map<String, Integer> seen = new TreeMap<>();
    int reasons = 0;
    for (int i = 0; i < reasons().size(); i++) {
      for (String reason : reasons().get(i)) {
        Integer other = seen.put(Cause.of(reason).fingerprint(), i);
        assertThat(other).as(reason).isIn(null, i);
        reasons++;
      }
    }

    assertThat(seen).hasSize(reasons().size());
    assertThat(reasons).isGreaterThanOrEqualTo(60);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "id 01a217cf-8c75-71ff-a812-818f3ab7c4af gone | id <id> gone",
        "since 2026-11-26T12:03:04.123Z, PT1M30S ago, 2m | since <time>, <time> ago, <time>",
        "at 10.0.0.1:9876;10.0.0.2:9876 | at <host>",
        "at 10.0.0.7:9092 and [::1]:5672 and kafka-1.shop:9092 | at <host> and <host> and <host>",
        "offset 0x1f of 9fc2ab41d0 | offset <hex> of <hex>",
        "1048588 bytes > 1,048,576 | <n> bytes > <n>",
        "topic 'orders' of 'order-4711' | topic 'orders' of <text>",
        "state 22: x:1   y | state <n>: x:<n> y",
        "facade deadbeef | facade deadbeef",
        "kept: kafka:orders, io.angarium.X | kept: kafka:orders, io.angarium.X",
      })
  void whatDiffersIsNamedByItsKind(String reason, String text) {
    assertThat(Cause.of(reason).text()).isEqualTo(text);
  }

  @Test
  void onlyTheFirstLineCountsAndItIsCut() {
    assertThat(Cause.of("refused\nat Line.one(Line.java:1)").text()).isEqualTo("refused");
    assertThat(Cause.of("x ".repeat(5_000)).text()).hasSize(Cause.LENGTH_MAX);
    assertThat(Cause.of("").text()).isEmpty();
    assertThat(Cause.of("a").fingerprint()).matches("[0-9a-f]{16}").isEqualTo("ca978112ca1bbdca");
  }

  /** A search that goes wrong from every character of a long reason would take for ever. */
  @Test
  void hostileReasonsAreQuick() {
    for (String part :
        List.of("a-", "'", "'1", "\"a", "[:", "a.", "1.", "-", "0x", "ab", "PT1", "2026-")) {
      assertThat(Cause.of(part.repeat(4_000)).text()).isNotEmpty();
    }
  }
}
