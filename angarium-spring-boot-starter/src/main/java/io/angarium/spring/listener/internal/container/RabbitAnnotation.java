package io.angarium.spring.listener.internal.container;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;

/**
 * What {@code @RabbitListener} of a method, or of its class, says of acknowledging. Needs no class
 * of Spring AMQP. Immutable.
 *
 * @param present whether there is one
 * @param ackMode in place of that of the factory; empty for that
 * @param factory the bean that makes its container, perhaps an expression; empty for the usual one
 */
public record RabbitAnnotation(boolean present, String ackMode, String factory) {
  private static final String NAME = "org.springframework.amqp.rabbit.annotation.RabbitListener";

  public static RabbitAnnotation of(Method method, Class<?> type) {
    AnnotationAttributes declared = attributes(method);
    if (declared == null) {
      declared = AnnotatedElementUtils.findMergedAnnotationAttributes(type, NAME, false, false);
    }
    return declared == null
        ? new RabbitAnnotation(false, "", "")
        : new RabbitAnnotation(
            true, declared.getString("ackMode"), declared.getString("containerFactory"));
  }

  private static @Nullable AnnotationAttributes attributes(Method method) {
    return AnnotatedElementUtils.findMergedAnnotationAttributes(method, NAME, false, false);
  }
}
