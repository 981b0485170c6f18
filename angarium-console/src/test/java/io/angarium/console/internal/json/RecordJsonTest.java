package io.angarium.console.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordJsonTest {
  private enum Colour {
    DARK_RED
  }

  private record Part(@Nullable String text, int number) {}

  private record Whole(
      List<Part> parts,
      Map<String, Integer> counts,
      Instant at,
      Duration age,
      UUID id,
      Colour colour,
      boolean truth,
      long large,
      double share) {}

  private final RecordJson json = new RecordJson();

  @Test
  void everyTypeOfAnAnswerHasOneForm() {
    Whole whole =
        new Whole(
            List.of(new Part("a \"quoted\" <b> \u2028", 1), new Part(null, 2)),
            Map.of("kafka:orders", 3),
            Instant.parse("2026-11-26T12:03:04.1Z"),
            Duration.ofMillis(2100),
            new UUID(1, 2),
            Colour.DARK_RED,
            true,
            Long.MAX_VALUE,
            0.5);

    String text = new String(json.bytes(whole), UTF_8);

    assertThat(text)
        .isEqualTo(
            "{\"parts\":[{\"text\":\"a \\\"quoted\\\" <b> \u2028\",\"number\":1},"
                + "{\"text\":null,\"number\":2}],\"counts\":{\"kafka:orders\":3},"
                + "\"at\":\"2026-11-26T12:03:04.100Z\",\"age\":\"PT2.1S\","
                + "\"id\":\"00000000-0000-0001-0000-000000000002\",\"colour\":\"dark-red\","
                + "\"truth\":true,\"large\":9223372036854775807,\"share\":0.5}");
  }

  @Test
  void whatHasNoFormIsAFault() {
    record Wrong(Object value) {}

    assertThatThrownBy(() -> json.bytes(new Wrong(Thread.currentThread())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no JSON for a java.lang.Thread");
  }
}
