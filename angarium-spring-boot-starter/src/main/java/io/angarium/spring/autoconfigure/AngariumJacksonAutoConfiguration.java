package io.angarium.spring.autoconfigure;

import io.angarium.spring.autoconfigure.internal.data.PayloadConfigurations;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Objects as payloads: JSON by the Jackson of the application, unless it has a bean of {@link
 * io.angarium.PayloadCodec}.
 */
@AutoConfiguration(
    after = AngariumAutoConfiguration.class,
    afterName = {
      // Spring Boot 3
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      // Spring Boot 4
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
    })
@Import({
  PayloadConfigurations.Jackson3.class,
  PayloadConfigurations.Jackson2.class,
  PayloadConfigurations.Typed.class
})
public final class AngariumJacksonAutoConfiguration {
  /** Creates the configuration. */
  public AngariumJacksonAutoConfiguration() {}
}
