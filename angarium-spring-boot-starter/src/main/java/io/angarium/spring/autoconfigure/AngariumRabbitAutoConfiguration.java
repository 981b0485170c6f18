package io.angarium.spring.autoconfigure;

import com.rabbitmq.client.ConnectionFactory;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.spring.autoconfigure.internal.details.RabbitDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RabbitMapping;
import io.angarium.spring.settings.AngariumProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

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
  RabbitConfig angariumRabbitConfig(AngariumProperties properties, ApplicationContext context) {
    return RabbitMapping.rabbit(properties.rabbitmq(), RabbitDefaults.of(context));
  }

  @Bean
  @ConditionalOnMissingBean
  RabbitTransport angariumRabbitTransport(RabbitConfig config) {
    return RabbitTransport.open(config);
  }
}
