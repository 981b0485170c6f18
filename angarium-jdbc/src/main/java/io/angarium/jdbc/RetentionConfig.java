package io.angarium.jdbc;

import io.angarium.ConfigFaults;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long is kept what grows. Applications on the same tables should agree: the shortest one cuts
 * for all. Immutable.
 *
 * @param sent the history of sent messages, 0..10 years; null (the default) for ever
 * @param businessKeys business keys that may be sent once, 0..10 years; null (the default) for ever
 * @param markers markers of local transactions, 3 days..10 years; null (the default) for ever. A
 *     half message whose producer is asked after that is rolled back, whatever its transaction did
 * @param halfMessages outcomes of half messages, 1 day..10 years; default 7 days, null for ever
 * @param discarded messages that a person discarded, which can be restored until then, 1 day..10
 *     years; default 7 days, null for ever
 * @param interval the pause between two cuts, 1 s..1 day; default 1 h
 */
public record RetentionConfig(
    @Nullable Duration sent,
    @Nullable Duration businessKeys,
    @Nullable Duration markers,
    @Nullable Duration halfMessages,
    @Nullable Duration discarded,
    Duration interval) {
  private static final Duration KEPT_MAX = Duration.ofDays(3650);

  /** Outcomes of half messages and discarded messages for 7 days, the rest for ever; hourly. */
  public static final RetentionConfig DEFAULTS =
      new RetentionConfig(
          null,
          null,
          null,
          Retention.HALF_MESSAGES_KEPT,
          Retention.DISCARDED_KEPT,
          Duration.ofHours(1));

  /** Checks the ranges. */
  public RetentionConfig {
    ConfigFaults faults = new ConfigFaults();
    check(faults, "sent", sent, Duration.ZERO);
    check(faults, "business-keys", businessKeys, Duration.ZERO);
    check(faults, "markers", markers, Retention.MARKERS_KEPT_MIN);
    check(faults, "half-messages", halfMessages, Retention.HALF_MESSAGES_KEPT_MIN);
    check(faults, "discarded", discarded, Retention.DISCARDED_KEPT_MIN);
    faults
        .range("retention.interval", interval, Duration.ofSeconds(1), Duration.ofDays(1))
        .throwIfAny();
  }

  private static void check(
      ConfigFaults faults, String name, @Nullable Duration kept, Duration keptMin) {
    if (kept != null) {
      faults.range("retention." + name, kept, keptMin, KEPT_MAX);
    }
  }

  /** A copy that keeps the history for another time. */
  public RetentionConfig sent(@Nullable Duration sent) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }

  /** A copy that keeps business keys for another time. */
  public RetentionConfig businessKeys(@Nullable Duration businessKeys) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }

  /** A copy that keeps markers for another time. */
  public RetentionConfig markers(@Nullable Duration markers) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }

  /** A copy that keeps outcomes of half messages for another time. */
  public RetentionConfig halfMessages(@Nullable Duration halfMessages) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }

  /** A copy that keeps discarded messages for another time. */
  public RetentionConfig discarded(@Nullable Duration discarded) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }

  /** A copy with another pause. */
  public RetentionConfig interval(Duration interval) {
    return new RetentionConfig(sent, businessKeys, markers, halfMessages, discarded, interval);
  }
}
