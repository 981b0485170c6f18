package io.angarium.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudEventsTest {
  @Test
  void listsAllFaultsAtOnce() {
    ConfigurationException failure =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> new CloudEvents(List.of("orders", "http:x", "kafka:*"), " ", "x".repeat(201)));

    assertThat(failure.faults())
        .containsExactly(
            "cloud-events.destinations: 'orders' (expected: kafka:... or rabbitmq:...; web hooks"
                + " always get events)",
            "cloud-events.destinations: 'http:x' (expected: kafka:... or rabbitmq:...; web hooks"
                + " always get events)",
            "cloud-events.source: ' ' (expected: 1..200 characters)",
            "cloud-events.type: '" + "x".repeat(201) + "' (expected: 1..200 characters)");
  }

  @ParameterizedTest
  @CsvSource({
    "subject, true",
    "traceparent, true",
    "a1, true",
    "twentyletterslongxxx, true",
    "twentyoneletterslong1, false",
    "'', false",
    "id, false",
    "data, false",
    "partitionkey, false",
    "Tenant, false",
    "x-shop, false"
  })
  void knowsWhatMayBeAnExtension(String name, boolean extension) {
    assertThat(CloudEvents.isExtension(name)).isEqualTo(extension);
  }
}
