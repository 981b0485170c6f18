package io.angarium.spring.autoconfigure;

import com.rabbitmq.client.ConnectionFactory;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The transport to RabbitMQ, where its module is present. */
@AutoConfiguration(after = AngariumAutoConfiguration.class)
@ConditionalOnClass({RabbitTransport.class, ConnectionFactory.class})
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(
    name = {"angarium.relay.enabled", "angarium.rabbitmq.enabled"},
    matchIfMissing = true)
public final class AngariumRabbitAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRabbitAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  RabbitConfig angariumRabbitConfig(AngariumProperties properties, Environment environment) {
    return RabbitMapping.rabbit(properties.rabbitmq(), BrokerDefaults.of(environment));
  }

  @Bean
  @ConditionalOnMissingBean
  RabbitTransport angariumRabbitTransport(RabbitConfig config) {
    return RabbitTransport.open(config);
  }
}
