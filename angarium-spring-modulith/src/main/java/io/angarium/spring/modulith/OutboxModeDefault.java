package io.angarium.spring.modulith;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Makes {@code outbox} the default mode of externalization, in which Spring Modulith's own modules
 * for brokers send nothing. A value that the application sets wins. Thread-safe.
 */
final class OutboxModeDefault implements EnvironmentPostProcessor {
  static final String MODE = "spring.modulith.events.externalization.mode";
  static final String OUTBOX = "outbox";

  private static final String SOURCE = "angarium-spring-modulith";

  OutboxModeDefault() {}

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (!"false".equalsIgnoreCase(environment.getProperty("angarium.enabled"))) {
      environment.getPropertySources().addLast(new MapPropertySource(SOURCE, Map.of(MODE, OUTBOX)));
    }
  }
}
