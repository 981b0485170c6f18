package io.angarium.relay.settings;

import io.angarium.ConfigFaults;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Pauses that grow by a factor up to a cap, each spread at random so that messages that failed
 * together do not return together. Thread-safe if the random source is.
 */
public final class ExponentialBackoff implements RetryPolicy {
  private final Timing timing;
  private final LongSupplier random;

  /**
   * The numbers of a backoff. Immutable.
   *
   * @param first pause after the first failure, 1 ms..1 day; default 1 s
   * @param factor growth of each further pause, 1..10; default 2
   * @param max longest pause, at least {@code first}, at most 7 days; default 5 min
   * @param jitter share of a pause that is random, 0..1; default 0.2: the pause lies between 80 %
   *     and 100 %
   * @param attemptsMax attempts before a message is a dead letter, 1..30 000; default 20, which
   *     with the other defaults takes about an hour
   */
  public record Timing(
      Duration first, double factor, Duration max, double jitter, int attemptsMax) {
    /** 1 s, doubling up to 5 min, a fifth of it random, 20 attempts. */
    public static final Timing DEFAULTS =
        new Timing(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2, 20);

    /** Checks the ranges. */
    public Timing {
      new ConfigFaults()
          .range("retry.first-pause", first, Duration.ofMillis(1), Duration.ofDays(1))
          .require(factor >= 1 && factor <= 10, "retry.factor", factor, "1..10")
          .range("retry.max-pause", max, first, Duration.ofDays(7))
          .require(jitter >= 0 && jitter <= 1, "retry.jitter", jitter, "0..1")
          .range("retry.max-attempts", attemptsMax, 1, 30_000)
          .throwIfAny();
    }
  }

  /**
   * Creates a backoff.
   *
   * @param random any 64-bit numbers, for the jitter
   */
  public ExponentialBackoff(Timing timing, LongSupplier random) {
    this.timing = timing;
    this.random = random;
  }

  @Override
  public Optional<Duration> pause(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures: " + failures + " (expected: at least 1)");
    }
    return failures >= timing.attemptsMax() ? Optional.empty() : Optional.of(spread(failures));
  }

  private Duration spread(int failures) {
    double growth = Math.pow(timing.factor(), failures - 1.0);
    double millis = Math.min(timing.first().toMillis() * growth, (double) timing.max().toMillis());
    double share = (random.getAsLong() >>> 11) * 0x1.0p-53;
    return Duration.ofMillis(Math.max(1, (long) (millis * (1 - timing.jitter() * share))));
  }
}
