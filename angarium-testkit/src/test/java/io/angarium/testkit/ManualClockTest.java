package io.angarium.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final Instant start = Instant.parse("2026-05-04T03:02:01Z");
  private final ManualClock clock = new ManualClock(start);

  @Test
  void bothTimesStandStillUntilAdvanced() {
    clock.advance(Duration.ofSeconds(2));

    assertThat(clock.instant()).isEqualTo(start.plusSeconds(2));
    assertThat(clock.nanoTime()).isEqualTo(2_000_000_000L);
  }

  @Test
  void wallClockJumpsWithoutTimePassing() {
    clock.jumpWall(Duration.ofHours(-1));

    assertThat(clock.instant()).isEqualTo(start.minusSeconds(3_600));
    assertThat(clock.nanoTime()).isZero();
  }

  @Test
  void timeCannotRunBackwards() {
    assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofMillis(-1)));
  }

  @Test
  void skewedClockMovesAlong() {
    TimeSource skewed = clock.skewed(Duration.ofMinutes(5));

    clock.advance(Duration.ofSeconds(1));

    assertThat(skewed.instant()).isEqualTo(start.plusSeconds(301));
    assertThat(skewed.nanoTime()).isEqualTo(clock.nanoTime());
  }
}
