package io.angarium.spring.autoconfigure;

import io.angarium.confirmation.Receipts;
import io.angarium.redis.RedisInbox;
import io.angarium.redis.RedisInboxConfig;
import io.angarium.spring.SpringRedisInbox;
import io.angarium.spring.autoconfigure.internal.check.ConfigurationCheck;
import io.angarium.spring.autoconfigure.internal.check.Purpose;
import io.angarium.spring.autoconfigure.internal.details.RedisDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RedisMapping;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConfigurationPart;
import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox on Redis, where it is switched on; beside or instead of the one in the database. */
@AutoConfiguration(after = AngariumInboxAutoConfiguration.class)
@ConditionalOnProperty("angarium.inbox.redis.enabled")
@EnableConfigurationProperties(AngariumProperties.class)
public final class AngariumRedisAutoConfiguration {
  /** Creates the configuration. */
  public AngariumRedisAutoConfiguration() {}

  /** Says, too, that the module of Redis is missing. */
  @Bean
  @ConditionalOnMissingBean(ConfigurationCheck.class)
  static ConfigurationCheck angariumRedisConfigurationCheck(
      ApplicationContext context, ObjectProvider<ConfigurationPart<?>> parts) {
    return new ConfigurationCheck(Purpose.CONSUME, context, parts);
  }

  /** What needs its classes. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    RedisInbox.class,
    RedisClient.class,
    TransactionSynchronizationManager.class
  })
  @ConditionalOnMissingBean({SpringRedisInbox.class, RedisInbox.class})
  static class OnRedis {
    @Bean
    @ConditionalOnMissingBean
    RedisInboxConfig angariumRedisInboxConfig(AngariumProperties properties) {
      return RedisMapping.inbox(properties.inbox().redis());
    }

    @Bean(destroyMethod = "shutdown")
    @ConditionalOnMissingBean
    RedisClient angariumRedisClient(AngariumProperties properties, ApplicationContext context) {
      return RedisMapping.client(properties.inbox().redis(), RedisDefaults.of(context));
    }

    @Bean
    SpringRedisInbox angariumRedisInbox(
        RedisClient client, RedisInboxConfig config, ObjectProvider<Receipts> receipts) {
      return new SpringRedisInbox(RedisInbox.open(client, config), receipts.getIfAvailable());
    }
  }
}
