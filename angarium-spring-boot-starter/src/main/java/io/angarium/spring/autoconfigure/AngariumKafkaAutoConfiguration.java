package io.angarium.spring.autoconfigure;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.KafkaMapping;
import io.angarium.spring.settings.AngariumProperties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** The transport to Kafka, where its module is present. */
@AutoConfiguration(after = AngariumAutoConfiguration.class)
@ConditionalOnClass({KafkaTransport.class, KafkaProducer.class})
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(
    name = {"angarium.relay.enabled", "angarium.kafka.enabled"},
    matchIfMissing = true)
public final class AngariumKafkaAutoConfiguration {
  /** Creates the configuration. */
  public AngariumKafkaAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  KafkaConfig angariumKafkaConfig(
      AngariumProperties properties,
      ApplicationContext context,
      ObjectProvider<RelayConfig> relay) {
    return KafkaMapping.kafka(properties, KafkaDefaults.of(context), relay.getIfUnique());
  }

  @Bean
  @ConditionalOnMissingBean
  KafkaTransport angariumKafkaTransport(KafkaConfig config) {
    return KafkaTransport.open(config);
  }
}
