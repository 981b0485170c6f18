package io.angarium.spring.autoconfigure.internal.details;

import java.util.Optional;
import java.util.function.Function;
import org.springframework.context.ApplicationContext;

/**
 * Reads what the connection details of one broker say. A bean, as each generation of Spring Boot
 * has types of its own for them. Immutable.
 *
 * @param type what it returns
 * @param reading empty if there is no bean of connection details
 */
public record DetailsReader<T>(Class<T> type, Function<ApplicationContext, Optional<T>> reading) {
  /**
   * What the connection details say; empty if there are none.
   *
   * @throws io.angarium.ConfigurationException if there are several beans of them, none primary
   */
  static <T> Optional<T> read(ApplicationContext context, Class<T> type) {
    return context
        .getBeanProvider(DetailsReader.class)
        .orderedStream()
        .map(reader -> (DetailsReader<?>) reader)
        .filter(reader -> reader.type() == type)
        .findFirst()
        .flatMap(reader -> reader.readAs(type, context));
  }

  private <R> Optional<R> readAs(Class<R> wanted, ApplicationContext context) {
    return reading.apply(context).map(wanted::cast);
  }
}
