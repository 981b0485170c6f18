package io.angarium.recipes.testcontainers.rabbit;

import org.springframework.amqp.core.Queue;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The application under test. */
@SpringBootApplication
class ParcelApplication {
  @Bean
  Queue parcels() {
    return new Queue("parcels");
  }
}
