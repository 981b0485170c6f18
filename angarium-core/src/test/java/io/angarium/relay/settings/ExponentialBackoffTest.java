package io.angarium.relay.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExponentialBackoffTest {
  private static ExponentialBackoff backoff(double jitter, int attemptsMax) {
    return new ExponentialBackoff(
        new ExponentialBackoff.Timing(
            Duration.ofSeconds(1), 2, Duration.ofSeconds(10), jitter, attemptsMax),
        new Random(7)::nextLong);
  }

  @Test
  void pausesDoubleUpToTheCapAndThenGiveUp() {
    ExponentialBackoff backoff = backoff(0, 6);

    assertThat(backoff.pause(1)).contains(Duration.ofSeconds(1));
    assertThat(backoff.pause(2)).contains(Duration.ofSeconds(2));
    assertThat(backoff.pause(4)).contains(Duration.ofSeconds(8));
    assertThat(backoff.pause(5)).contains(Duration.ofSeconds(10));
    assertThat(backoff.pause(6)).isEmpty();
  }

  @Test
  void jitterShortensAPauseByItsShareAtMost() {
    ExponentialBackoff backoff = backoff(0.5, 100);

    for (int i = 0; i < 1_000; i++) {
      assertThat(backoff.pause(1).orElseThrow())
          .isBetween(Duration.ofMillis(500), Duration.ofMillis(1_000));
    }
  }

  @Test
  void manyFailuresDoNotOverflow() {
    assertThat(backoff(0, 30_000).pause(29_999)).contains(Duration.ofSeconds(10));
  }

  @Test
  void zeroFailuresIsAnError() {
    assertThatThrownBy(() -> backoff(0, 2).pause(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void wrongTimingsAreListedTogether() {
    assertThatThrownBy(() -> new ExponentialBackoff.Timing(Duration.ZERO, 0.5, Duration.ZERO, 2, 0))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e -> assertThat(e.faults()).hasSizeGreaterThanOrEqualTo(4));
  }
}
