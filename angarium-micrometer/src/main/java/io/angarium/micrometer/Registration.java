package io.angarium.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Registers meters of the table and removes them when it is closed, so that a later relay in the
 * same process starts with gauges of its own. Thread-safe.
 */
final class Registration implements AutoCloseable {
  private static final Duration DELAY_MIN = Duration.ofMillis(1);
  private static final Duration DELAY_MAX = Duration.ofMinutes(10);

  private final MeterRegistry registry;
  private final MetricsConfig config;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

  Registration(MeterRegistry registry, MetricsConfig config) {
    this.registry = registry;
    this.config = config;
  }

  Counter counter(OutboxMeter meter, String... tagValues) {
    return keep(
        Counter.builder(meter.meterName())
            .description(meter.description())
            .tags(tags(meter, tagValues))
            .register(registry));
  }

  Timer timer(OutboxMeter meter, String... tagValues) {
    return keep(
        Timer.builder(meter.meterName())
            .description(meter.description())
            .tags(tags(meter, tagValues))
            .publishPercentileHistogram(config.histogram())
            .minimumExpectedValue(DELAY_MIN)
            .maximumExpectedValue(DELAY_MAX)
            .register(registry));
  }

  /** Registers a gauge that asks {@code state}, which it does not keep alive. */
  <T> void gauge(OutboxMeter meter, T state, ToDoubleFunction<T> value, String... tagValues) {
    keep(
        Gauge.builder(meter.meterName(), state, value)
            .description(meter.description())
            .tags(tags(meter, tagValues))
            .register(registry));
  }

  /** Registers a gauge of seconds that asks {@code state}, which it does not keep alive. */
  <T> void secondsGauge(OutboxMeter meter, T state, ToDoubleFunction<T> value) {
    keep(
        TimeGauge.builder(meter.meterName(), state, TimeUnit.SECONDS, value)
            .description(meter.description())
            .tags(tags(meter))
            .register(registry));
  }

  private <M extends Meter> M keep(M meter) {
    meters.add(meter);
    return meter;
  }

  private Tags tags(OutboxMeter meter, String... values) {
    List<String> keys = meter.tagKeys();
    List<Tag> tags = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      tags.add(Tag.of(keys.get(i), values[i]));
    }
    return config.tags().and(tags);
  }

  @Override
  public void close() {
    for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
      registry.remove(meter);
    }
  }
}
