package io.angarium.confirmation;

import io.angarium.ConfigFaults;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.Set;

/**
 * Which messages must be confirmed by their consumers, and what becomes of those that are not.
 * Immutable.
 *
 * @param destinations in their text form, e.g. {@code kafka:orders}; one that ends with an asterisk
 *     stands for all that begin so; none by default
 * @param timeout how long after it was sent a message is sent again, 1 s..30 d; longer than
 *     consumers ever lag behind; default 10 min
 * @param sendsMax how often a message is sent before it becomes a dead letter, the first time
 *     included, 1..100; default 5
 * @param receiptsKept how long receipts are remembered that came before their message was noted as
 *     sent, 1 min..365 d; longer than the time-out; default 1 d
 * @param interval how often overdue messages are looked for, 10 ms..1 h; default 5 s
 */
public record ConfirmationConfig(
    Set<String> destinations,
    Duration timeout,
    int sendsMax,
    Duration receiptsKept,
    Duration interval) {
  private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

  /** No destination; 10 minutes, 5 times. */
  public static final ConfirmationConfig NONE =
      new ConfirmationConfig(
          Set.of(), Duration.ofMinutes(10), 5, Duration.ofDays(1), Duration.ofSeconds(5));

  /** Checks the parts. */
  public ConfirmationConfig {
    destinations = Set.copyOf(destinations);
    ConfigFaults faults = new ConfigFaults();
    for (String destination : destinations) {
      faults.require(
          destination.matches("[a-z0-9-]+:[^*]*\\*?"),
          "confirmation.destinations",
          "'" + destination + "'",
          "a destination such as kafka:orders, or the begin of some such as kafka:orders.*");
    }
    faults
        .range("confirmation.timeout", timeout, Duration.ofSeconds(1), TIMEOUT_MAX)
        .range("confirmation.sends", sendsMax, 1, 100)
        .range(
            "confirmation.receipts-kept", receiptsKept, Duration.ofMinutes(1), Duration.ofDays(365))
        .range("confirmation.interval", interval, Duration.ofMillis(10), Duration.ofHours(1))
        .require(
            timeout.compareTo(TIMEOUT_MAX) > 0 || receiptsKept.compareTo(timeout) > 0,
            "confirmation.receipts-kept",
            receiptsKept,
            "longer than confirmation.timeout, " + DurationText.of(timeout))
        .throwIfAny();
  }

  /** True if any message must be confirmed. */
  public boolean required() {
    return !destinations.isEmpty();
  }

  /** A copy for other destinations. */
  public ConfirmationConfig destinations(String... destinations) {
    return new ConfirmationConfig(Set.of(destinations), timeout, sendsMax, receiptsKept, interval);
  }

  /** A copy with another time-out and number of sends. */
  public ConfirmationConfig timeout(Duration timeout, int sendsMax) {
    return new ConfirmationConfig(destinations, timeout, sendsMax, receiptsKept, interval);
  }

  /** A copy that looks for overdue messages more or less often. */
  public ConfirmationConfig interval(Duration interval) {
    return new ConfirmationConfig(destinations, timeout, sendsMax, receiptsKept, interval);
  }
}
