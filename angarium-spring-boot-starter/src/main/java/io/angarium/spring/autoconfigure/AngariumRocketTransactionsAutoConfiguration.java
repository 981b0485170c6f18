package io.angarium.spring.autoconfigure;

import io.angarium.half.local.LocalTransactions;
import io.angarium.intake.MessageIntake;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.transaction.RocketTransactions;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import io.angarium.spring.autoconfigure.internal.data.LocalTransactionsConfiguration;
import io.angarium.spring.autoconfigure.internal.details.BrokerDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RocketMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.sql.Connection;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** RocketMQ's transactional messages, where they are switched on. */
@AutoConfiguration(after = AngariumRocketAutoConfiguration.class)
@ConditionalOnClass({RocketTransactions.class, TransactionMQProducer.class})
@ConditionalOnBean(AngariumProperties.class)
@ConditionalOnProperty(name = "angarium.rocketmq.transactions.enabled")
@Import(LocalTransactionsConfiguration.class)
public final class AngariumRocketTransactionsAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRocketTransactionsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  RocketTransactionsConfig angariumRocketTransactionsConfig(
      ObjectProvider<RocketConfig> cluster,
      AngariumProperties properties,
      Environment environment) {
    return RocketMapping.transactions(
        properties.rocketmq(),
        cluster.getIfAvailable(
            () ->
                RocketMapping.rocket(
                    properties.rocketmq(), BrokerDefaults.rocketNameServers(environment))));
  }

  @Bean
  @ConditionalOnMissingBean
  RocketTransactions<Connection> angariumRocketTransactions(
      RocketTransactionsConfig config,
      MessageIntake intake,
      LocalTransactions<Connection> transactions) {
    return RocketTransactions.open(config, intake.sentElsewhere(), transactions);
  }
}
