package io.angarium.half.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.half.HalfKey;
import io.angarium.half.check.CheckBackConfig.Pauses;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The settings of check-backs, and the pauses that follow from them. */
class CheckBackConfigTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final CheckPauses PAUSES = new CheckPauses(Pauses.DEFAULTS);

  private static DueCheck check(long number) {
    return new DueCheck(number, 1, new HalfKey("order", "1"), null, 0, 0);
  }

  @Test
  void everyFaultIsNamed() {
    assertThatThrownBy(
            () ->
                new CheckBackConfig(
                    Pauses.DEFAULTS,
                    0,
                    Duration.ZERO,
                    0,
                    0,
                    Duration.ZERO,
                    Duration.ofDays(2),
                    Duration.ZERO,
                    Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "half.check.unknown-max",
            "half.check.alert-after",
            "half.check.questions:",
            "half.check.questions-in-all:",
            "half.check.timeout",
            "half.check.claim",
            "half.check.interval",
            "half.check.sweep");
    assertThatThrownBy(() -> new Pauses(Duration.ZERO, SECOND, 0.5, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "half.check.first",
            "half.check.factor",
            "half.check.max-pause",
            "half.check.unreachable-max-pause");
  }

  @Test
  void claimIsLongerThanTheTimeOutOfAQuestion() {
    CheckBackConfig config = CheckBackConfig.DEFAULTS;

    assertThatThrownBy(
            () ->
                new CheckBackConfig(
                    config.pauses(),
                    config.unknownMax(),
                    config.alertAfter(),
                    config.questionsMax(),
                    config.questionsInAllMax(),
                    Duration.ofSeconds(40),
                    Duration.ofSeconds(60),
                    config.interval(),
                    config.sweep()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.check.claim: 1m (expected: 80s..1h)");
  }

  @Test
  void pausesGrowToTheirMaximum() {
    assertThat(PAUSES.unknown(check(1), 1))
        .isBetween(SECOND.multipliedBy(24), SECOND.multipliedBy(30));
    assertThat(PAUSES.unknown(check(1), 2))
        .isBetween(SECOND.multipliedBy(48), SECOND.multipliedBy(60));
    assertThat(PAUSES.unknown(check(1), 1_000))
        .isBetween(Duration.ofMinutes(24), Duration.ofMinutes(30));
    assertThat(PAUSES.unreachable(check(1), Integer.MAX_VALUE))
        .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    assertThat(PAUSES.endpoint(1)).isEqualTo(SECOND);
    assertThat(PAUSES.endpoint(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void pausesOfWhatWasAskedTogetherDiffer() {
    List<Duration> pauses =
        LongStream.range(0, 100).mapToObj(number -> PAUSES.inFlight(check(number))).toList();

    assertThat(Set.copyOf(pauses)).hasSizeGreaterThan(90);
    assertThat(pauses)
        .anySatisfy(pause -> assertThat(pause).isLessThan(SECOND.multipliedBy(25)))
        .anySatisfy(pause -> assertThat(pause).isGreaterThan(SECOND.multipliedBy(29)));
  }
}
