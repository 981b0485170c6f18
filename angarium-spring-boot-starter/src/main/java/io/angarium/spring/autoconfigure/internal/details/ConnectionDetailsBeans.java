package io.angarium.spring.autoconfigure.internal.details;

import io.angarium.ConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;

/**
 * Finds the connection details that Testcontainers, Docker Compose or the application register.
 * Leaves out those that Spring Boot itself makes of its properties.
 */
public final class ConnectionDetailsBeans {
  private static final String OF_SPRING_BOOT = "org.springframework.boot.";
  private static final String OF_PROPERTIES = "Properties";

  private ConnectionDetailsBeans() {}

  /**
   * Reads the one bean of a type.
   *
   * @param fault what the fault about several beans begins with
   * @throws ConfigurationException if there are several, none of them primary
   */
  public static <T, R> Optional<R> read(
      ApplicationContext context, Class<T> type, String fault, Function<T, R> reading) {
    Map<String, T> found = found(context, type);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    T details =
        found.size() == 1
            ? found.values().iterator().next()
            : context.getBeanProvider(type).getIfUnique();
    if (details == null) {
      throw new ConfigurationException(
          List.of(
              fault
                  + ": beans "
                  + found.keySet()
                  + " of "
                  + type.getSimpleName()
                  + " (expected: one, or one of them marked @Primary)"));
    }
    return Optional.of(reading.apply(details));
  }

  /** The beans by name. A method may declare no more than the interface, so the bean decides. */
  private static <T> Map<String, T> found(ApplicationContext context, Class<T> type) {
    Map<String, T> found = new LinkedHashMap<>();
    for (String name :
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, type, true, false)) {
      if (!isOfProperties(context.getType(name, false))) {
        T bean = context.getBean(name, type);
        if (!isOfProperties(bean.getClass())) {
          found.put(name, bean);
        }
      }
    }
    return found;
  }

  private static boolean isOfProperties(@Nullable Class<?> type) {
    return type != null
        && type.getName().startsWith(OF_SPRING_BOOT)
        && type.getSimpleName().startsWith(OF_PROPERTIES);
  }

  /** {@code host:port}, with brackets around a host that is an address of IPv6. */
  public static String address(String host, int port) {
    return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
  }
}
