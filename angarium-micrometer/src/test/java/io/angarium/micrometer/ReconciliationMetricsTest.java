package io.angarium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.Window;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconciliationMetricsTest {
  private static final Window WINDOW =
      new Window(Instant.parse("2026-11-27T10:00:00Z"), Instant.parse("2026-11-27T11:00:00Z"));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ReconciliationMetrics metrics =
      new ReconciliationMetrics(registry, MetricsConfig.DEFAULTS);

  private static Report report(
      List<String> missing, List<String> unexpected, List<String> repeated) {
    return new Report(WINDOW, Digest.NONE, Digest.NONE, missing, unexpected, repeated, true);
  }

  private double count(String task, String difference) {
    return registry
        .get("angarium.reconciliation.differences")
        .tag("task", task)
        .tag("difference", difference)
        .counter()
        .count();
  }

  @Test
  void countersOfATaskAreThereBeforeItComparesAnything() {
    metrics.show("orders");

    assertThat(count("orders", "missing")).isZero();
    assertThat(count("orders", "unexpected")).isZero();
    assertThat(count("orders", "repeated")).isZero();
    metrics.compared("orders", report(List.of("1"), List.of(), List.of()));
    metrics.show("orders");
    assertThat(count("orders", "missing")).isEqualTo(1);
  }

  @Test
  void differencesAreCountedByTaskAndKind() {
    metrics.compared("orders", report(List.of("1", "2"), List.of("3"), List.of()));
    metrics.compared("orders", report(List.of("4"), List.of(), List.of("5")));
    metrics.compared("stock", report(List.of(), List.of(), List.of()));

    assertThat(count("orders", "missing")).isEqualTo(3);
    assertThat(count("orders", "unexpected")).isEqualTo(1);
    assertThat(count("orders", "repeated")).isEqualTo(1);
    assertThat(count("stock", "missing")).as("at 0, so that the first one is a rise").isZero();
  }

  @Test
  void closingRemovesTheMeters() {
    metrics.compared("orders", report(List.of("1"), List.of(), List.of()));

    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }
}
