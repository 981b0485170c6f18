package io.angarium.spring.autoconfigure;

import io.angarium.background.BackgroundWork;
import io.angarium.spring.autoconfigure.internal.run.Boot3Health;
import io.angarium.spring.autoconfigure.internal.run.Boot4Health;
import io.angarium.spring.autoconfigure.internal.run.RelayHealth;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.store.OutboxStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A health indicator for the relay, in the form of either generation of Spring Boot. */
@AutoConfiguration(after = AngariumRelayAutoConfiguration.class)
@ConditionalOnBean(RelayLifecycle.class)
public final class AngariumHealthAutoConfiguration {
  /** Creates the configuration. */
  public AngariumHealthAutoConfiguration() {}

  /** Spring Boot 3: the API of the actuator. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    org.springframework.boot.actuate.health.HealthIndicator.class,
    org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator.class
  })
  @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator(
      "angarium")
  static class Boot3 {
    @Bean
    org.springframework.boot.actuate.health.HealthIndicator angariumHealthIndicator(
        RelayLifecycle lifecycle, OutboxStore store, ObjectProvider<BackgroundWork> work) {
      return new Boot3Health(new RelayHealth(lifecycle, store, work));
    }
  }

  /** Spring Boot 4: an API of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator
          .class)
  @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
      "angarium")
  static class Boot4 {
    @Bean
    org.springframework.boot.health.contributor.HealthIndicator angariumHealthIndicator(
        RelayLifecycle lifecycle, OutboxStore store, ObjectProvider<BackgroundWork> work) {
      return new Boot4Health(new RelayHealth(lifecycle, store, work));
    }
  }
}
