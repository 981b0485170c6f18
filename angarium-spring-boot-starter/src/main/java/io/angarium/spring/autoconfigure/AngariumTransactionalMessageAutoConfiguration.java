package io.angarium.spring.autoconfigure;

import io.angarium.spring.half.TransactionalMessage;
import io.angarium.spring.half.TransactionalMethods;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.expression.ExpressionParser;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Methods with {@link TransactionalMessage}. There without half messages as well, to say that they
 * are missing.
 */
@AutoConfiguration
@ConditionalOnClass({ProxyFactory.class, ExpressionParser.class, TransactionAttribute.class})
public final class AngariumTransactionalMessageAutoConfiguration {
  /** Creates the configuration. */
  public AngariumTransactionalMessageAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean
  static TransactionalMethods angariumTransactionalMethods(ConfigurableListableBeanFactory beans) {
    return new TransactionalMethods(beans);
  }
}
