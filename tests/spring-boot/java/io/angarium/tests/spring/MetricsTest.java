package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.micrometer.RelayMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class MetricsTest {
  private final Shop shop =
      Shop.on(Database.h2().withOrders()).withoutJpa().with(Styles.Jdbc.class).with(Registry.class);

  @Test
  void deliveriesAndTheRelayAreMeasured() {
    MeterRegistry meters;
    try (ConfigurableApplicationContext context = shop.start()) {
      meters = context.getBean(MeterRegistry.class);
      context.getBean(Orders.class).place(1);
      context.getBean(Mailbox.class).next();
      assertThat(meters.get("angarium.healthy").gauge().value()).isEqualTo(1);
      assertThat(meters.find("angarium.backlog.depth").gauge()).isNotNull();
      context.stop();

      assertThat(meters.find("angarium.delivery").timers().stream().mapToLong(Timer::count).sum())
          .isEqualTo(1);
    }
  }

  @Test
  void metricsCanBeSwitchedOff() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.metrics.enabled=false").start()) {
      assertThat(context.getBeanProvider(RelayMetrics.class).getIfAvailable()).isNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Registry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }
}
