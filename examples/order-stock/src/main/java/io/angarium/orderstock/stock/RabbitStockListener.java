package io.angarium.orderstock.stock;

import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.spring.rabbit.RabbitDeclarables;
import io.angarium.spring.rabbit.RedeliveringRecoverer;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** Receives paid orders from RabbitMQ; what fails comes back after pauses. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "rabbitmq")
class RabbitStockListener {
  private final StockService stock;

  RabbitStockListener(StockService stock) {
    this.stock = stock;
  }

  @RabbitListener(queues = "stock")
  @IdempotentConsumer(consumer = "stock")
  void orderPaid(Message message) {
    stock.deduct(message.getBody());
  }

  @Bean
  static Declarables queues() {
    return RabbitDeclarables.of(StockQueues.TOPOLOGY);
  }

  @Bean
  static RedeliveringRecoverer recoverer(ConnectionFactory connections) {
    return RedeliveringRecoverer.of(connections, StockQueues.TOPOLOGY);
  }
}
