package io.angarium.quickstart.stock;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** What the consumer of Kafka does when it cannot book a movement. */
@Configuration(proxyBeanMethods = false)
class KafkaStockErrors {
  private static final long PAUSE_MILLIS = 1000;

  /** Tries again until it succeeds: the default gives up after ten times and skips the message. */
  @Bean
  CommonErrorHandler tryAgain() {
    return new DefaultErrorHandler(new FixedBackOff(PAUSE_MILLIS, FixedBackOff.UNLIMITED_ATTEMPTS));
  }
}
