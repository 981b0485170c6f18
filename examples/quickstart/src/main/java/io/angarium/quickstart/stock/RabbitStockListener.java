package io.angarium.quickstart.stock;

import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.rabbitmq.topology.RabbitTopology.ExchangeType;
import io.angarium.spring.rabbit.RabbitDeclarables;
import java.util.Objects;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Receives placed orders from RabbitMQ, from a queue that it declares with those for trouble. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "rabbitmq")
class RabbitStockListener {
  private final StockService stock;
  private final JsonMapper json;

  RabbitStockListener(StockService stock, JsonMapper json) {
    this.stock = stock;
    this.json = json;
  }

  @Bean
  static Declarables stockQueues() {
    return RabbitDeclarables.of(
        RabbitTopology.of("stock").boundTo("orders", ExchangeType.TOPIC, "order.*"));
  }

  @RabbitListener(queues = "stock")
  void orderPlaced(Message message) {
    OrderPlaced order = json.readValue(message.getBody(), OrderPlaced.class);
    String id = message.getMessageProperties().getMessageId();
    stock.take(Objects.requireNonNull(id, "not from the outbox"), order);
  }
}
