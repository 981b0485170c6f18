package io.angarium.tests.spring;

import java.util.List;
import org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Connection details of Spring Boot 3, such as its support for Testcontainers registers. */
final class ServiceConnections {
  private ServiceConnections() {}

  @Configuration(proxyBeanMethods = false)
  static class Kafka {
    @Bean
    KafkaConnectionDetails kafkaOfTheTest(Environment environment) {
      return () -> List.of(environment.getRequiredProperty("test.kafka"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Rabbit {
    @Bean
    RabbitConnectionDetails rabbitOfTheTest(Environment environment) {
      return () ->
          List.of(
              new RabbitConnectionDetails.Address(
                  "127.0.0.1", environment.getRequiredProperty("test.rabbit", Integer.class)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Redis {
    @Bean
    RedisConnectionDetails redisOfTheTest(Environment environment) {
      return new RedisConnectionDetails() {
        @Override
        public Standalone getStandalone() {
          return Standalone.of(
              "127.0.0.1", environment.getRequiredProperty("test.redis", Integer.class));
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Jdbc {
    @Bean
    JdbcConnectionDetails databaseOfTheTest(Environment environment) {
      return new JdbcConnectionDetails() {
        @Override
        public String getJdbcUrl() {
          return environment.getRequiredProperty("test.database");
        }

        @Override
        public String getUsername() {
          return "sa";
        }

        @Override
        public String getPassword() {
          return "";
        }
      };
    }
  }
}
