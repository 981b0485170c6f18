package io.angarium.spring.listener.internal.container;

import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;

/** The transaction of a broker in which a container calls a listener. */
public final class ContainerTransactions {
  private static final String KAFKA = "org.springframework.kafka.annotation.KafkaListener";

  private ContainerTransactions() {}

  /** For a person; empty if there is none, or it is unknown. */
  public static Optional<String> transaction(
      ConfigurableListableBeanFactory beans, Method method, Class<?> type) {
    RabbitAnnotation rabbit = RabbitAnnotation.of(method, type);
    if (rabbit.present()) {
      return RabbitContainers.transaction(beans, rabbit);
    }
    AnnotationAttributes kafka = kafka(method, type);
    return kafka == null
        ? Optional.empty()
        : KafkaContainers.transaction(beans, kafka.getString("containerFactory"));
  }

  private static @Nullable AnnotationAttributes kafka(Method method, Class<?> type) {
    AnnotationAttributes declared =
        AnnotatedElementUtils.findMergedAnnotationAttributes(method, KAFKA, false, false);
    return declared == null
        ? AnnotatedElementUtils.findMergedAnnotationAttributes(type, KAFKA, false, false)
        : declared;
  }
}
