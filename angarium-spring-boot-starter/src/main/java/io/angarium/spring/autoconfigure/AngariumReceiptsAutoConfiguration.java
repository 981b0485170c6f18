package io.angarium.spring.autoconfigure;

import io.angarium.spring.settings.AngariumProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** The properties, early enough for transports in an application that sends receipts only. */
@AutoConfiguration(
    before = {
      AngariumKafkaAutoConfiguration.class,
      AngariumRabbitAutoConfiguration.class,
      AngariumRocketAutoConfiguration.class,
      AngariumHttpAutoConfiguration.class
    })
@ConditionalOnProperty("angarium.confirmation.report-to")
@EnableConfigurationProperties(AngariumProperties.class)
public final class AngariumReceiptsAutoConfiguration {
  /** Creates the configuration. */
  public AngariumReceiptsAutoConfiguration() {}
}
