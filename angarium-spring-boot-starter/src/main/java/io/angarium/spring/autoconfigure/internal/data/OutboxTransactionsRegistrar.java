package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.spring.OutboxTransactions;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Lets the outbox watch every transaction manager that is a bean. Thread-safe. */
public final class OutboxTransactionsRegistrar implements BeanPostProcessor {
  private final OutboxTransactions transactions = new OutboxTransactions();

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof PlatformTransactionManager
        && bean instanceof ConfigurableTransactionManager manager) {
      manager.addListener(transactions);
    }
    return bean;
  }
}
