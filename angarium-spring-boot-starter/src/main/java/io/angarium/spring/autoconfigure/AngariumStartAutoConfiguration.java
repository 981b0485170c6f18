package io.angarium.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Makes the beans of Angarium at the start, also with {@code spring.main.lazy-initialization=true}:
 * nobody asks for a relay, a retention or a gauge, so they would never run.
 */
@AutoConfiguration
public final class AngariumStartAutoConfiguration {
  private static final String OURS = "io.angarium.";

  /** Creates the configuration. */
  public AngariumStartAutoConfiguration() {}

  @Bean
  static LazyInitializationExcludeFilter angariumStartsAtOnce() {
    return (name, definition, type) ->
        isOurs(definition.getFactoryBeanName()) || isOurs(definition.getBeanClassName());
  }

  private static boolean isOurs(@Nullable String configuration) {
    return configuration != null && configuration.startsWith(OURS);
  }
}
