package io.angarium.spring.autoconfigure.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ReconciliationMappingTest {
  private static final String ORDERS = "angarium.reconciliation.tasks.orders.";

  private static Map<String, AngariumProperties.ReconciliationTask> of(
      Map<String, String> properties) {
    return ReconciliationMapping.tasks(
        new Binder(new MapConfigurationPropertySource(properties))
            .bindOrCreate("angarium", AngariumProperties.class)
            .reconciliation());
  }

  @Test
  void everyPropertyArrives() {
    AngariumProperties.ReconciliationTask task =
        of(Map.of(
                ORDERS + "destination", "kafka:orders",
                ORDERS + "consumer", "stock",
                ORDERS + "repair", "true",
                ORDERS + "window", "20s",
                ORDERS + "delay", "3m",
                ORDERS + "age-max", "4d",
                ORDERS + "lease", "6m"))
            .get("orders");

    assertThat(task).isNotNull();
    assertThat(task.destination()).isEqualTo("kafka:orders");
    assertThat(task.consumer()).isEqualTo("stock");
    assertThat(task.repair()).isTrue();
    assertThat(ReconciliationMapping.config("orders", task))
        .isEqualTo(
            new ReconciliationConfig(
                "orders",
                Duration.ofSeconds(20),
                Duration.ofMinutes(3),
                Duration.ofDays(4),
                Duration.ofSeconds(20), // a window is due no sooner
                Duration.ofMinutes(6)));
  }

  @Test
  void taskOfABeanHasTheDefaultsOfTheConfigRecord() {
    AngariumProperties.ReconciliationTask task =
        of(Map.of("angarium.reconciliation.tasks.ordersAndStock.enabled", "true"))
            .get("ordersAndStock");

    assertThat(task).isNotNull();
    assertThat(ReconciliationMapping.isOfMessages(task)).isFalse();
    assertThat(task.repair()).isFalse();
    assertThat(ReconciliationMapping.config("ordersAndStock", task))
        .isEqualTo(ReconciliationConfig.of("ordersAndStock"));
  }

  @Test
  void whatIsSwitchedOffDoesNotRun() {
    Map<String, String> one = Map.of(ORDERS + "enabled", "false", ORDERS + "window", "1h");
    Map<String, String> all =
        Map.of("angarium.reconciliation.enabled", "false", ORDERS + "window", "1h");

    assertThat(of(one)).isEmpty();
    assertThat(of(all)).isEmpty();
    assertThat(of(Map.of())).isEmpty();
  }

  @Test
  void faultsOfATaskHaveTheFullNamesOfItsProperties() {
    AngariumProperties.ReconciliationTask task =
        of(Map.of(ORDERS + "window", "1ms", ORDERS + "age-max", "1s")).get("orders");

    assertThat(task).isNotNull();
    assertThat(
            ReconciliationMapping.faults(
                "orders", () -> ReconciliationMapping.config("orders", task)))
        .anyMatch(fault -> fault.startsWith(ORDERS + "window: 1ms (expected: 1s.."))
        .anyMatch(fault -> fault.startsWith(ORDERS + "age-max: 1s (expected: 1m.."))
        .anyMatch(fault -> fault.startsWith(ORDERS + "age-max: 1s (expected: longer than window"))
        .hasSize(3);
  }
}
