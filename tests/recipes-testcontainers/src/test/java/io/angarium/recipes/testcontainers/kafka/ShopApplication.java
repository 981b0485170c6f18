package io.angarium.recipes.testcontainers.kafka;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.TopicBuilder;

/** The application under test. */
@SpringBootApplication
class ShopApplication {
  @Bean
  NewTopic ordersTopic() {
    return TopicBuilder.name("orders").partitions(1).build();
  }
}
