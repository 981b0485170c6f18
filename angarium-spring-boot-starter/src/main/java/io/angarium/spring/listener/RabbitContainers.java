package io.angarium.spring.listener;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/** How containers of RabbitMQ acknowledge; loaded only where there is a listener of one. */
final class RabbitContainers {
  /** The bean that is taken where the annotation names none. */
  private static final String USUAL = "rabbitListenerContainerFactory";

  private RabbitContainers() {}

  /** The mode of the annotation or, where it says none, of a container; empty if it is unknown. */
  static String ackMode(ConfigurableListableBeanFactory beans, RabbitAnnotation listener) {
    try {
      Object mode = evaluated(beans, listener.ackMode());
      return mode == null || mode.toString().isBlank()
          ? modeOf(factory(beans, listener.factory()))
          : mode.toString();
    } catch (RuntimeException e) {
      return ""; // told where the container is made
    }
  }

  /** Null if it is none of Spring AMQP's own. */
  private static @Nullable AbstractRabbitListenerContainerFactory<?> factory(
      ConfigurableListableBeanFactory beans, String declared) {
    Object named = evaluated(beans, StringUtils.hasText(declared) ? declared : USUAL);
    Object factory =
        named instanceof String name && beans.containsBean(name) ? beans.getBean(name) : named;
    return factory instanceof AbstractRabbitListenerContainerFactory<?> known ? known : null;
  }

  /** Asks a container that never starts: a factory does not tell, and may be customized. */
  private static String modeOf(@Nullable AbstractRabbitListenerContainerFactory<?> factory) {
    // not through the interface, whose methods are others in Spring AMQP 4
    return factory == null ? "" : factory.createListenerContainer(null).getAcknowledgeMode().name();
  }

  /** As Spring AMQP does: both may be placeholders or expressions. */
  private static @Nullable Object evaluated(ConfigurableListableBeanFactory beans, String given) {
    String resolved = beans.resolveEmbeddedValue(given);
    BeanExpressionResolver resolver = beans.getBeanExpressionResolver();
    return resolver == null
        ? resolved
        : resolver.evaluate(resolved, new BeanExpressionContext(beans, null));
  }
}
