package io.angarium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigFaultsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void durationsAreShownAsTheyStandInProperties() {
    ConfigFaults gathered =
        new ConfigFaults()
            .range("lease.heartbeat", Duration.ofSeconds(9), Duration.ofMillis(100), SECOND)
            .range("lease.margin", Duration.ofSeconds(-1), Duration.ZERO, Duration.ofDays(7))
            .require(false, "retention", Duration.ofHours(36), "longer than replay-window")
            .require(false, "pauses", List.of(SECOND, Duration.ofMillis(5)), "growing")
            .require(false, "pause", null, "a pause");

    assertThat(faults(gathered))
        .containsExactly(
            "lease.heartbeat: 9s (expected: 100ms..1s)",
            "lease.margin: -1s (expected: 0s..7d)",
            "retention: 36h (expected: longer than replay-window)",
            "pauses: [1s, 5ms] (expected: growing)",
            "pause: none (expected: a pause)");
  }

  @Test
  void theThirdOfADurationIsShownInWholeMilliseconds() {
    Duration third = Duration.ofSeconds(10).dividedBy(3);
    ConfigFaults gathered =
        new ConfigFaults()
            .range("exact", third, SECOND, third)
            .range("lease.heartbeat", Duration.ofSeconds(9), SECOND, third);

    assertThat(faults(gathered)).containsExactly("lease.heartbeat: 9s (expected: 1s..3333ms)");
  }

  private static List<String> faults(ConfigFaults gathered) {
    return catchThrowableOfType(ConfigurationException.class, gathered::throwIfAny).faults();
  }
}
