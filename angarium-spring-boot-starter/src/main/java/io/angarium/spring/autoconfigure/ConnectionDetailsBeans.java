package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Finds the connection details that Testcontainers, Docker Compose or the application register.
 * Leaves out those that Spring Boot itself makes of its properties.
 */
final class ConnectionDetailsBeans {
  private static final String OF_SPRING_BOOT = "org.springframework.boot.";
  private static final String OF_PROPERTIES = "Properties";

  private ConnectionDetailsBeans() {}

  /**
   * Reads the one bean of a type; makes no other bean.
   *
   * @param fault what the fault about several beans begins with
   * @throws ConfigurationException if there are several, none of them primary
   */
  static <T, R> Optional<R> read(
      ApplicationContext context, Class<T> type, String fault, Function<T, R> reading) {
    List<String> names =
        Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, type, true, false))
            .filter(name -> !isOfProperties(context.getType(name, false)))
            .toList();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    T details =
        names.size() == 1
            ? context.getBean(names.get(0), type)
            : context.getBeanProvider(type).getIfUnique();
    if (details == null) {
      throw new ConfigurationException(
          List.of(
              fault
                  + ": beans "
                  + names
                  + " of "
                  + type.getSimpleName()
                  + " (expected: one, or one of them marked @Primary)"));
    }
    return Optional.of(reading.apply(details));
  }

  private static boolean isOfProperties(@Nullable Class<?> type) {
    return type != null
        && type.getName().startsWith(OF_SPRING_BOOT)
        && type.getSimpleName().startsWith(OF_PROPERTIES);
  }

  /** Whether the class path has a type; its package tells which generation of Spring Boot it is. */
  static boolean have(ApplicationContext context, String type) {
    return ClassUtils.isPresent(type, context.getClassLoader());
  }
}
