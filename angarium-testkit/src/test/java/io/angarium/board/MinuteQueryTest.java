package io.angarium.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinuteQueryTest {
  private static final Instant FROM = Instant.parse("2026-11-29T01:02:03Z");

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 59, 397, 398, 399, 400, 797, 2_880, 100_000})
  void stepIsTheShortestThatIsAllowed(long minutes) {
    Instant to = FROM.plus(Duration.ofMinutes(minutes));
    Duration step = MinuteQuery.stepOf(FROM, to);

    assertThat(new MinuteQuery(FROM, to, step, List.of()).step()).isEqualTo(step);
    if (step.toMinutes() > 1) {
      assertThatThrownBy(
              () -> new MinuteQuery(FROM, to, step.minus(Duration.ofMinutes(1)), List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("400");
    }
  }

  @Test
  void badPartsAreRefused() {
    Instant to = FROM.plusSeconds(600);
    Duration minute = Duration.ofMinutes(1);
    assertThatThrownBy(() -> new MinuteQuery(FROM, to, Duration.ofSeconds(90), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MinuteQuery(FROM, to, Duration.ZERO, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MinuteQuery(to, FROM, minute, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MinuteQuery(FROM, to, minute, Collections.nCopies(201, "kafka:a")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
