package io.angarium.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * What a method's annotations have libraries do when it fails: call it again, behind the back of
 * what is around it. Of Spring Retry, Spring itself and Resilience4j.
 */
public final class RetryAdvice {
  private static final List<String> ANNOTATIONS =
      List.of(
          "org.springframework.retry.annotation.Retryable",
          "org.springframework.resilience.annotation.Retryable",
          "io.github.resilience4j.retry.annotation.Retry");

  private RetryAdvice() {}

  /**
   * Whether it is around a method of a bean's class. One that is stateful, as a circuit breaker is,
   * is not: it leaves the next attempt to the caller.
   */
  public static boolean isAround(Method method, Class<?> type) {
    return ANNOTATIONS.stream().anyMatch(annotation -> isAround(method, type, annotation));
  }

  /** By the annotation of the method, which goes first, or of its class. */
  private static boolean isAround(Method method, Class<?> type, String annotation) {
    return Stream.of(method, type)
        .map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
        .map(present -> present.<Annotation>get(annotation))
        .filter(MergedAnnotation::isPresent)
        .findFirst()
        .filter(retry -> !retry.getValue("stateful", Boolean.class).orElse(false))
        .isPresent();
  }
}
