package io.angarium.spring.autoconfigure;

import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketTransport;
import io.angarium.spring.autoconfigure.internal.details.BrokerDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RocketMapping;
import io.angarium.spring.settings.AngariumProperties;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The transport to RocketMQ, where its module is present. */
@AutoConfiguration(after = AngariumAutoConfiguration.class)
@ConditionalOnClass({RocketTransport.class, DefaultMQProducer.class})
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(
    name = {"angarium.relay.enabled", "angarium.rocketmq.enabled"},
    matchIfMissing = true)
public final class AngariumRocketAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRocketAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  RocketConfig angariumRocketConfig(AngariumProperties properties, Environment environment) {
    return RocketMapping.rocket(
        properties.rocketmq(), BrokerDefaults.rocketNameServers(environment));
  }

  @Bean
  @ConditionalOnMissingBean
  RocketTransport angariumRocketTransport(RocketConfig config) {
    return RocketTransport.open(config);
  }
}
