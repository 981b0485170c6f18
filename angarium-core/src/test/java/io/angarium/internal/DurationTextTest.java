package io.angarium.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT9S, 9s",
    "PT1M, 1m",
    "PT1M20S, 80s",
    "PT90M, 90m",
    "PT24H, 1d",
    "PT25H, 25h",
    "P7D, 7d",
    "PT0.1S, 100ms",
    "PT1.001S, 1001ms",
    "PT0.000001S, 1us",
    "PT0.0010001S, 1000100ns",
    "PT1.000000001S, 1000000001ns",
    "PT-9S, -9s",
    "PT-0.1S, -100ms",
    "PT-1.5S, -1500ms",
    "PT-48H, -2d",
    "PT-0.000000001S, -1ns",
    "PT9223372036854775807S, 9223372036854775807s",
    "PT-9223372036854775808S, -9223372036854775808s",
    "PT9223372036854775807.999S, PT2562047788015215H30M7.999S",
  })
  void theLargestUnitThatHoldsTheDurationExactly(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
