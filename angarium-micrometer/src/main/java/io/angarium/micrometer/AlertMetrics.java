package io.angarium.micrometer;

import io.angarium.alert.AlertListener;
import io.angarium.alert.Severity;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shows how many alerts are on, see {@link OutboxMeter#ALERT}, on the node that looks for them, and
 * counts what channels were told. Thread-safe.
 */
public final class AlertMetrics implements AlertListener, AutoCloseable {
  private final Registration meters;

  /** By rule and severity. */
  private final Map<String, AtomicInteger> firing = new ConcurrentHashMap<>();

  /** By channel and result. */
  private final Map<String, Counter> told = new ConcurrentHashMap<>();

  /** Creates the metrics; the gauges of a rule appear with the first look for it. */
  public AlertMetrics(MeterRegistry registry, MetricsConfig config) {
    this.meters = new Registration(registry, config);
  }

  @Override
  public void firing(String rule, Severity severity, int count) {
    String name = severity.name().toLowerCase(Locale.ROOT);
    firing.computeIfAbsent(rule + ' ' + name, key -> gauge(rule, name)).set(count);
  }

  private AtomicInteger gauge(String rule, String severity) {
    AtomicInteger count = new AtomicInteger();
    meters.gauge(OutboxMeter.ALERT, count, AtomicInteger::get, rule, severity);
    return count;
  }

  @Override
  public void told(String channel, boolean success) {
    String result = success ? "told" : "failed";
    told.computeIfAbsent(
            channel + ' ' + result,
            key -> meters.counter(OutboxMeter.ALERT_NOTICES, channel, result))
        .increment();
  }

  /** Removes the meters from the registry. May be called twice. */
  @Override
  public void close() {
    meters.close();
  }
}
