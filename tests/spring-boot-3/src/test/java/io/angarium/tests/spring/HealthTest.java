package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.PayloadCodec;
import io.angarium.jackson.Jackson2Codec;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.context.ConfigurableApplicationContext;

class HealthTest {
  private final Database database = Database.h2().withOrders();
  private final Shop shop = Shop.on(database).withoutJpa().with(Styles.Jdbc.class);

  @Test
  void runsOnTheGenerationOfSpringBootThatTheModuleNames() {
    assertThat(SpringBootVersion.getVersion()).startsWith("3.");
  }

  @Test
  void healthIsUpWhileTheRelayRunsAndDownWhenItIsStopped() {
    try (ConfigurableApplicationContext context = shop.start()) {
      HealthEndpoint health = context.getBean(HealthEndpoint.class);
      assertThat(health.healthForPath("angarium").getStatus()).isEqualTo(Status.UP);

      context.stop();

      assertThat(health.healthForPath("angarium").getStatus()).isEqualTo(Status.DOWN);
    }
  }

  @Test
  void healthIsDownWithoutTheTables() {
    try (ConfigurableApplicationContext context = shop.start()) {
      database.jdbc().execute("DROP TABLE outbox");

      assertThat(context.getBean(HealthEndpoint.class).healthForPath("angarium").getStatus())
          .isEqualTo(Status.DOWN);
    }
  }

  @Test
  void healthIndicatorCanBeSwitchedOff() {
    try (ConfigurableApplicationContext context =
        shop.with("management.health.angarium.enabled=false").start()) {
      assertThat(context.getBean(HealthEndpoint.class).healthForPath("angarium")).isNull();
    }
  }

  @Test
  void payloadsAreWrittenByTheJacksonOfThisGeneration() {
    try (ConfigurableApplicationContext context = shop.start()) {
      assertThat(context.getBean(PayloadCodec.class)).isInstanceOf(Jackson2Codec.class);
    }
  }
}
