package io.angarium.tests.spring;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.MappingJackson2MessageConverter;
import org.springframework.messaging.converter.MessageConverter;

/** What JSON is made with in this generation of Spring Boot. */
final class Mappers {
  private Mappers() {}

  /** The JSON converter of Spring. */
  static MessageConverter converter() {
    return new MappingJackson2MessageConverter();
  }

  /** An application whose mapper lets bytes choose classes. */
  @Configuration(proxyBeanMethods = false)
  static class WithDefaultTyping {
    @Bean
    ObjectMapper mapper() {
      return new ObjectMapper()
          .activateDefaultTyping(
              BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build());
    }
  }
}
