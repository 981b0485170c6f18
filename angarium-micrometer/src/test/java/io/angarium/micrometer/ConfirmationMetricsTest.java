package io.angarium.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class ConfirmationMetricsTest {
  private final NotedConfirmations confirmations = new NotedConfirmations();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ConfirmationMetrics metrics =
      new ConfirmationMetrics(registry, MetricsConfig.DEFAULTS, confirmations, TimeSource.SYSTEM);

  private double unconfirmed() {
    return registry.get("angarium.unconfirmed").gauge().value();
  }

  @Test
  void showsHowManyMessagesWaitForTheirReceipt() {
    double before = unconfirmed();
    confirmations.unconfirmed = 7;

    metrics.sample();

    assertThat(before).isNaN();
    assertThat(unconfirmed()).isEqualTo(7);
  }

  @Test
  void showsNoNumberWhileTheDatabaseCannotBeAsked() {
    confirmations.unconfirmed = 7;
    metrics.sample();
    confirmations.away = true;

    metrics.sample();

    assertThat(unconfirmed()).isNaN();
    assertThat(registry.get("angarium.store.failures").tag("task", "unconfirmed").counter().count())
        .isEqualTo(1);
  }

  @Test
  void closingRemovesTheMeters() {
    metrics.close();
    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }
}
