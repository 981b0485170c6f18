package io.angarium.spring.autoconfigure.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ConfirmationMappingTest {
  private static ConfirmationConfig of(Map<String, String> properties) {
    AngariumProperties bound =
        new Binder(new MapConfigurationPropertySource(properties))
            .bindOrCreate("angarium", AngariumProperties.class);
    return PropertyMapping.jdbc(bound).confirmation();
  }

  @Test
  void everyPropertyArrives() {
    ConfirmationConfig config =
        of(
            Map.of(
                "angarium.confirmation.destinations", "kafka:orders,rabbitmq:paid*",
                "angarium.confirmation.timeout", "2h",
                "angarium.confirmation.sends", "3"));

    assertThat(config)
        .isEqualTo(
            new ConfirmationConfig(
                Set.of("kafka:orders", "rabbitmq:paid*"),
                Duration.ofHours(2),
                3,
                Duration.ofDays(1),
                Duration.ofSeconds(5)));
  }

  /** Receipts are remembered for longer than it takes to send again, and looks follow sooner. */
  @Test
  void whatIsNoPropertyFollowsTheTimeout() {
    ConfirmationConfig longer = of(Map.of("angarium.confirmation.timeout", "20d"));
    ConfirmationConfig shorter = of(Map.of("angarium.confirmation.timeout", "2s"));

    assertThat(longer.receiptsKept()).isEqualTo(Duration.ofDays(40));
    assertThat(shorter.receiptsKept()).isEqualTo(Duration.ofDays(1));
    assertThat(longer.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(shorter.interval()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void timeoutBeyondItsRangeIsOneFault() {
    assertThatThrownBy(() -> of(Map.of("angarium.confirmation.timeout", "365d")))
        .isInstanceOfSatisfying(
            ConfigurationException.class, failure -> assertThat(failure.faults()).hasSize(1));
  }

  private static String group(Map<String, String> properties, String application) {
    AngariumProperties bound =
        new Binder(new MapConfigurationPropertySource(properties))
            .bindOrCreate("angarium", AngariumProperties.class);
    return ReceiptsMapping.group(bound.confirmation(), application);
  }

  /** Of two applications in one group each would be given receipts of the other. */
  @Test
  void groupThatReadsReceiptsIsThatOfTheApplication() {
    assertThat(group(Map.of(), "shop")).isEqualTo("shop-angarium-receipts");
    assertThat(group(Map.of(), "shop of.books")).isEqualTo("shop-of-books-angarium-receipts");
    assertThat(group(Map.of(), null)).isEqualTo("angarium-receipts");
    assertThat(group(Map.of("angarium.confirmation.receipts-group", "mine"), "shop"))
        .isEqualTo("mine");
  }

  @Test
  void withoutPropertiesNothingIsConfirmed() {
    assertThat(of(Map.of())).isEqualTo(ConfirmationConfig.NONE);
  }
}
