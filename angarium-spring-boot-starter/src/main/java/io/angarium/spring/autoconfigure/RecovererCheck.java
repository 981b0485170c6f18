package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import java.util.List;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Whether anybody calls a bean of {@code RedeliveringRecoverer}. */
final class RecovererCheck {
  private RecovererCheck() {}

  /**
   * Spring calls it in the advice of retries, which each factory gives its containers. Of
   * containers that an application declares itself it cannot be told.
   *
   * @throws ConfigurationException if no factory has any advice
   */
  static void check(
      ListableBeanFactory beans,
      List<BaseRabbitListenerContainerFactory<?>> factories,
      Environment environment) {
    boolean declared = beans.getBeanNamesForType(AbstractMessageListenerContainer.class).length > 0;
    if (!declared
        && !factories.isEmpty()
        && factories.stream().noneMatch(RecovererCheck::advises)) {
      String type = environment.getProperty("spring.rabbitmq.listener.type", "simple");
      throw new ConfigurationException(
          List.of(
              "spring.rabbitmq.listener."
                  + type
                  + ".retry.enabled: false (expected: true, and retry.max-attempts=1, in Spring"
                  + " Boot 4 retry.max-retries=0: nobody else calls the bean of"
                  + " RedeliveringRecoverer, and what a listener fails would come again at once)"));
    }
  }

  private static boolean advises(BaseRabbitListenerContainerFactory<?> factory) {
    return factory.getAdviceChain() != null && factory.getAdviceChain().length > 0;
  }
}
