package io.angarium.micrometer;

import io.angarium.reconciliation.ReconciliationListener;
import io.angarium.reconciliation.Report;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the differences that reconciliations find, see {@link
 * OutboxMeter#RECONCILIATION_DIFFERENCES}. A window that is compared again counts again.
 * Thread-safe.
 */
public final class ReconciliationMetrics implements ReconciliationListener, AutoCloseable {
  private final Registration meters;
  private final Map<String, Differences> tasks = new ConcurrentHashMap<>();

  /** The counters of one task. */
  private record Differences(Counter missing, Counter unexpected, Counter repeated) {}

  /**
   * Creates the metrics; a task's counters appear with its first comparison, or by {@link #show}.
   */
  public ReconciliationMetrics(MeterRegistry registry, MetricsConfig config) {
    this.meters = new Registration(registry, config);
  }

  /** Shows the counters of a task at zero, so that what it finds first is a rise. */
  public void show(String task) {
    tasks.computeIfAbsent(task, this::differences);
  }

  @Override
  public void compared(String task, Report report) {
    Differences found = tasks.computeIfAbsent(task, this::differences);
    found.missing().increment(report.missing().size());
    found.unexpected().increment(report.unexpected().size());
    found.repeated().increment(report.repeated().size());
  }

  private Differences differences(String task) {
    return new Differences(
        counter(task, "missing"), counter(task, "unexpected"), counter(task, "repeated"));
  }

  private Counter counter(String task, String difference) {
    return meters.counter(OutboxMeter.RECONCILIATION_DIFFERENCES, difference, task);
  }

  /** Removes the meters from the registry. May be called twice. */
  @Override
  public void close() {
    meters.close();
  }
}
