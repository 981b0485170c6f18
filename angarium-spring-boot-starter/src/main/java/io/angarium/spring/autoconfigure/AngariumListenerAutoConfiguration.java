package io.angarium.spring.autoconfigure;

import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.spring.listener.IdempotentConsumers;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.expression.ExpressionParser;

/**
 * Listeners with {@link IdempotentConsumer}. There without an inbox as well, to say that it is
 * missing.
 */
@AutoConfiguration
@ConditionalOnClass({ProxyFactory.class, ExpressionParser.class})
public final class AngariumListenerAutoConfiguration {
  /** Creates the configuration. */
  public AngariumListenerAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean
  static IdempotentConsumers angariumIdempotentConsumers(ConfigurableListableBeanFactory beans) {
    return new IdempotentConsumers(beans);
  }
}
