package io.angarium.spring.listener.internal.container;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** How containers of RabbitMQ call listeners; loaded only where there is a listener of one. */
public final class RabbitContainers {
  /** The bean that is taken where the annotation names none. */
  private static final String USUAL = "rabbitListenerContainerFactory";

  private RabbitContainers() {}

  /** The mode of the annotation or, where it says none, of a container; empty if it is unknown. */
  public static String ackMode(ConfigurableListableBeanFactory beans, RabbitAnnotation listener) {
    try {
      Object mode = DeclaredBeans.evaluated(beans, listener.ackMode());
      return mode == null || mode.toString().isBlank()
          ? modeOf(factory(beans, listener.factory()))
          : mode.toString();
    } catch (RuntimeException e) {
      return ""; // told where the container is made
    }
  }

  /**
   * The transactions of RabbitMQ in which a listener is called, for a person; empty if it is in
   * none, or that is unknown.
   */
  static Optional<String> transaction(
      ConfigurableListableBeanFactory beans, RabbitAnnotation listener) {
    try {
      AbstractMessageListenerContainer container = container(factory(beans, listener.factory()));
      return container != null && container.isChannelTransacted()
          ? Optional.of("channelTransacted")
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // told where the container is made
    }
  }

  /** Null if it is none of Spring AMQP's own. */
  private static @Nullable AbstractRabbitListenerContainerFactory<?> factory(
      ConfigurableListableBeanFactory beans, String declared) {
    return DeclaredBeans.named(beans, declared, USUAL)
            instanceof AbstractRabbitListenerContainerFactory<?> known
        ? known
        : null;
  }

  private static String modeOf(@Nullable AbstractRabbitListenerContainerFactory<?> factory) {
    AbstractMessageListenerContainer container = container(factory);
    return container == null ? "" : container.getAcknowledgeMode().name();
  }

  /** One that never starts, to be asked: a factory does not tell, and may be customized. */
  private static @Nullable AbstractMessageListenerContainer container(
      @Nullable AbstractRabbitListenerContainerFactory<?> factory) {
    // not through the interface, whose methods are others in Spring AMQP 4
    return factory == null ? null : factory.createListenerContainer(null);
  }
}
