package io.angarium.spring.autoconfigure.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Partitioning;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayConfig.Leasing;
import io.angarium.relay.settings.RelayConfig.Polling;
import io.angarium.relay.settings.RelayConfig.Window;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What has no property follows another setting, whether a property or a bean gives that one. */
class DerivedSettingsTest {
  private static final KafkaDefaults KAFKA =
      new KafkaDefaults("localhost:9092", false, Map.of(), null, false, List.of());

  private static AngariumProperties bound(String name, String value) {
    return new Binder(new MapConfigurationPropertySource(Map.of("angarium." + name, value)))
        .bind("angarium", AngariumProperties.class)
        .get();
  }

  private static RelayConfig relay(Leasing leasing, Window window) {
    return new RelayConfig(
        "node", Partitioning.DEFAULTS, leasing, Polling.DEFAULTS, window, Duration.ofSeconds(10));
  }

  @Test
  void bufferOfKafkaHasRoomForTheWindowTwice() {
    AngariumProperties standard = bound("enabled", "true");
    AngariumProperties larger = bound("relay.window.bytes", "128MB");
    Window largest = new Window(1, 256 << 20, 1, 1, Duration.ZERO);

    assertThat(KafkaMapping.kafka(standard, KAFKA).bufferBytes()).isEqualTo(64 << 20);
    assertThat(KafkaMapping.kafka(larger, KAFKA).bufferBytes()).isEqualTo(256 << 20);
    assertThat(KafkaMapping.kafka(larger, KAFKA, relay(Leasing.DEFAULTS, largest)).bufferBytes())
        .isEqualTo(512 << 20);
  }

  @Test
  void statementsOfALeaseEndLongBeforeIt() {
    AngariumProperties standard = bound("enabled", "true");
    AngariumProperties shorter = bound("relay.lease.ttl", "5s");
    Leasing shortest = Leasing.of(Duration.ofSeconds(3));

    assertThat(PropertyMapping.jdbc(standard).leaseTimeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(PropertyMapping.jdbc(shorter).leaseTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(PropertyMapping.jdbc(shorter, relay(shortest, Window.DEFAULTS)).leaseTimeout())
        .isEqualTo(Duration.ofMillis(1_200));
  }

  @Test
  void heartbeatsAndMarginFollowTheLease() {
    Leasing leasing = PropertyMapping.leasing(bound("relay.lease.ttl", "2s").relay());

    assertThat(leasing.heartbeat()).isEqualTo(Duration.ofMillis(600));
    assertThat(leasing.margin()).isEqualTo(Duration.ofMillis(200));
  }
}
