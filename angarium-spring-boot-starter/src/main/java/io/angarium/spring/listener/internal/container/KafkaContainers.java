package io.angarium.spring.listener.internal.container;

import java.util.Optional;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.util.ClassUtils;

/** How containers of Kafka call listeners; loaded only where there is a listener of one. */
final class KafkaContainers {
  /** The bean that is taken where the annotation names none. */
  private static final String USUAL = "kafkaListenerContainerFactory";

  private KafkaContainers() {}

  /**
   * The transactions of Kafka in which a listener is called, for a person; empty if it is in none,
   * or that is unknown.
   *
   * @param factory as the annotation names it
   */
  static Optional<String> transaction(ConfigurableListableBeanFactory beans, String factory) {
    try {
      return DeclaredBeans.named(beans, factory, USUAL)
              instanceof KafkaListenerContainerFactory<?> known
          ? manager(known)
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // told where the container is made
    }
  }

  /** Asks a container that never starts, as one may be customized. */
  private static Optional<String> manager(KafkaListenerContainerFactory<?> factory) {
    ContainerProperties properties = factory.createContainer("any").getContainerProperties();
    return Optional.ofNullable(properties.getKafkaAwareTransactionManager())
        .map(ClassUtils::getUserClass)
        .map(manager -> "kafkaAwareTransactionManager " + manager.getSimpleName());
  }
}
