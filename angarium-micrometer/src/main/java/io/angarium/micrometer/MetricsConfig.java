package io.angarium.micrometer;

import io.angarium.ConfigFaults;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;

/**
 * The settings of the metrics. Immutable.
 *
 * @param tags added to every meter; empty by default. A process with several relays needs tags to
 *     distinguish them, with the same keys for each
 * @param destinationsMax maximum number of destinations with a tag value of their own, 1..10 000;
 *     default 100. The same limit applies to business ids of half messages. All further ones share
 *     the value {@code other}
 * @param histogram true to publish buckets of {@link OutboxMeter#DELIVERY} and {@link
 *     OutboxMeter#HALF_DECIDED}, so that percentiles can be taken over all nodes; costs about 80
 *     series per destination and route, or business and outcome; false by default
 * @param backlogInterval pause between two measurements of the backlog, 1 s..1 h; default 10 s
 */
public record MetricsConfig(
    Tags tags, int destinationsMax, boolean histogram, Duration backlogInterval) {

  /** No tags, 100 destinations, no histogram, a measurement of the backlog every 10 s. */
  public static final MetricsConfig DEFAULTS =
      new MetricsConfig(Tags.empty(), 100, false, Duration.ofSeconds(10));

  /** Checks the ranges. */
  public MetricsConfig {
    new ConfigFaults()
        .range("metrics.max-destinations", destinationsMax, 1, 10_000)
        .range(
            "metrics.backlog-interval", backlogInterval, Duration.ofSeconds(1), Duration.ofHours(1))
        .throwIfAny();
  }

  /** A copy with these tags. */
  public MetricsConfig tags(Tags tags) {
    return new MetricsConfig(tags, destinationsMax, histogram, backlogInterval);
  }
}
