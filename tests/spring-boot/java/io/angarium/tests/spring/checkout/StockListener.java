package io.angarium.tests.spring.checkout;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.spring.listener.IdempotentConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;

/** Consumes and produces. */
class StockListener {
  private final Stock stock;
  private final Outbox outbox;

  StockListener(Stock stock, Outbox outbox) {
    this.stock = stock;
    this.outbox = outbox;
  }

  @KafkaListener(topics = "orders")
  @IdempotentConsumer(consumer = "stock")
  public void receive(ConsumerRecord<String, byte[]> order) {
    stock.deduct(order.key());
    outbox.send(Message.of("kafka:stock-deducted", order.value()).key(order.key()));
  }
}
