package io.angarium.spring.autoconfigure;

import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.spring.autoconfigure.internal.data.RecovererCheck;
import io.angarium.spring.rabbit.RedeliveringRecoverer;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Listeners of RabbitMQ whose failed messages wait in queues of a topology. */
@AutoConfiguration(
    afterName = { // whose bean registers the containers before those are checked
      "org.springframework.boot.autoconfigure.amqp.RabbitAutoConfiguration", // Spring Boot 3
      "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration" // Spring Boot 4
    })
@ConditionalOnClass({RabbitTopology.class, BaseRabbitListenerContainerFactory.class})
@ConditionalOnBean(RedeliveringRecoverer.class)
public final class AngariumRabbitListenerAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRabbitListenerAutoConfiguration() {}

  /** Before containers start: what the listener fails would come again at once, without an end. */
  @Bean
  static SmartInitializingSingleton angariumRecovererCheck(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<BaseRabbitListenerContainerFactory<?>> factories,
      ObjectProvider<RabbitListenerEndpointRegistry> registries,
      Environment environment) {
    return () -> {
      if (registries.stream().anyMatch(each -> !each.getListenerContainerIds().isEmpty())) {
        RecovererCheck.check(beans, factories.stream().toList(), environment);
      }
    };
  }
}
