package io.angarium.http.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");
  private static final Duration MAX = Duration.ofMinutes(5);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | | PT0S",
        "7 | | PT7S",
        " 7 | | PT7S",
        "301 | | PT5M",
        "999999999999999999 | | PT5M",
        "9999999999999999999999 | | PT5M",
        "-1 | | PT0S",
        "1.5 | | PT0S",
        "Sun, 22 Nov 2026 08:01:00 GMT | | PT1M",
        "Sun, 22 Nov 2026 07:59:00 GMT | | PT0S",
        "Sun, 22 Nov 2099 08:00:00 GMT | | PT5M",
        "Mon, 22 Nov 2026 08:01:00 GMT | | PT1M",
        "Sunday, 22-Nov-26 08:01:00 GMT | | PT1M",
        "Sun Nov 22 08:01:00 2026 | | PT1M",
        "Sun, 22 Nov 2026 09:01:00 GMT | Sunday, 22-Nov-26 09:00:00 GMT | PT1M",
        "Sun, 22 Nov 2026 09:01:00 GMT | Sun Nov 22 09:00:00 2026 | PT1M",
        "Sun, 22 Nov 2026 09:01:00 GMT | Sun, 22 Nov 2026 09:00:00 GMT | PT1M",
        "Sun, 22 Nov 2026 08:01:00 GMT | soon | PT1M",
        "7 | Sun, 22 Nov 2099 09:00:00 GMT | PT7S"
      })
  void bothFormsAreReadWithinTheLimit(String value, String date, Duration pause) {
    assertThat(RetryAfter.pause(value, Optional.ofNullable(date), NOW, MAX)).isEqualTo(pause);
  }
}
