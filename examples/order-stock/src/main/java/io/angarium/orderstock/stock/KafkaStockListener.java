package io.angarium.orderstock.stock;

import io.angarium.spring.listener.IdempotentConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.stereotype.Component;
import org.springframework.util.backoff.FixedBackOff;

/** Receives paid orders from Kafka. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "kafka")
class KafkaStockListener {
  private static final long PAUSE_MILLIS = 100;

  private final StockService stock;

  KafkaStockListener(StockService stock) {
    this.stock = stock;
  }

  @KafkaListener(topics = "orders")
  @IdempotentConsumer(consumer = "stock")
  void orderPaid(ConsumerRecord<String, byte[]> message) {
    stock.deduct(message.value());
  }

  /** Tries again until it succeeds: the default gives up after ten times. */
  @Bean
  static CommonErrorHandler tryAgain() {
    return new DefaultErrorHandler(new FixedBackOff(PAUSE_MILLIS, FixedBackOff.UNLIMITED_ATTEMPTS));
  }
}
