package io.angarium.tests.spring;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.JacksonJsonMessageConverter;
import org.springframework.messaging.converter.MessageConverter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** What JSON is made with in this generation of Spring Boot. */
final class Mappers {
  private Mappers() {}

  /** The JSON converter of Spring. */
  static MessageConverter converter() {
    return new JacksonJsonMessageConverter();
  }

  /** An application whose mapper lets bytes choose classes. */
  @Configuration(proxyBeanMethods = false)
  static class WithDefaultTyping {
    @Bean
    JsonMapper mapper() {
      return JsonMapper.builder()
          .activateDefaultTyping(
              BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build())
          .build();
    }
  }
}
