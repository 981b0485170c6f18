package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.alert.AlertEngine;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.spring.autoconfigure.internal.run.AlertLifecycle;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Alerts in an application. */
class AlertsTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .onTheWeb()
        .with("angarium.relay.enabled=false")
        .with("angarium.alerts.enabled=true");
  }

  @Test
  void nodeLooksAndTellsTheChannelsOfTheProperties() {
    try (ConfigurableApplicationContext context =
        shop()
            .with("angarium.alerts.channels.room.type=slack")
            .with("angarium.alerts.channels.room.url=http://localhost:1/hook")
            .with("angarium.alerts.rules.oldest-waiting.threshold=300")
            .start()) {
      AlertEngine engine = context.getBean(AlertLifecycle.class).engine().orElseThrow();

      engine.runOnce();

      assertThat(engine.channels()).containsExactly("log", "room");
      assertThat(engine.fault()).isEmpty();
      assertThat(engine.test("log")).isEmpty();
      assertThat(engine.test("room")).isNotEmpty();
      ConsoleAlerts shown = context.getBean(ConsoleAlerts.class);
      assertThat(shown.channels()).containsExactly("log", "room");
      assertThat(shown.desk().alerts()).isEmpty();
    }
  }

  @Test
  void wrongPropertiesStopTheStart() {
    assertThatThrownBy(
            () -> shop().with("angarium.alerts.rules.oldest-waitin.threshold=300").start())
        .hasStackTraceContaining("angarium.alerts.rules: oldest-waitin")
        .hasStackTraceContaining("one of [");
    assertThatThrownBy(
            () ->
                shop()
                    .with("angarium.alerts.channels.room.type=slack")
                    .with("angarium.alerts.channels.night.type=mail")
                    .start())
        .hasStackTraceContaining("angarium.alerts.channels.room.url: none")
        .hasStackTraceContaining("angarium.alerts.channels.night.to: []");
  }
}
