package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.ConfigurationException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Whether anybody calls a bean of {@code RedeliveringRecoverer}. */
public final class RecovererCheck {
  private static final Logger LOG = LoggerFactory.getLogger(RecovererCheck.class);

  private RecovererCheck() {}

  /**
   * Spring calls it in the advice of retries, which each factory gives its containers. Of
   * containers that an application declares itself it cannot be told.
   *
   * @throws ConfigurationException if no factory has any advice, and no bean may add some
   */
  public static void check(
      ListableBeanFactory beans,
      List<BaseRabbitListenerContainerFactory<?>> factories,
      Environment environment) {
    boolean declared = beans.getBeanNamesForType(AbstractMessageListenerContainer.class).length > 0;
    if (declared || factories.isEmpty() || factories.stream().anyMatch(RecovererCheck::advises)) {
      return;
    }
    if (beans.getBeanNamesForType(ContainerCustomizer.class).length > 0) {
      LOG.warn(
          "No factory of RabbitMQ listener containers has advice: unless your ContainerCustomizer"
              + " sets it, nobody calls the bean of RedeliveringRecoverer, and what a listener"
              + " fails comes again at once");
      return;
    }
    throw new ConfigurationException(List.of(fault(environment)));
  }

  private static String fault(Environment environment) {
    String property =
        "spring.rabbitmq.listener."
            + environment.getProperty("spring.rabbitmq.listener.type", "simple")
            + ".retry.enabled";
    String value = environment.getProperty(property, "false");
    return property
        + ": "
        + value
        + (value.equals("true") ? ", which no listener container factory applies" : "")
        + " (expected: true, and retry.max-attempts=1, in Spring Boot 4 retry.max-retries=0,"
        + " applied by Spring Boot's configurer to a factory of your own, too: nobody else calls"
        + " the bean of RedeliveringRecoverer, and what a listener fails would come again at once)";
  }

  private static boolean advises(BaseRabbitListenerContainerFactory<?> factory) {
    return factory.getAdviceChain() != null && factory.getAdviceChain().length > 0;
  }
}
