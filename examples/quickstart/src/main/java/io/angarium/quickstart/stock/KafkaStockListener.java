package io.angarium.quickstart.stock;

import io.angarium.kafka.KafkaWireFormat;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Receives placed orders from Kafka. Any consumer would do: the message is plain JSON. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "kafka")
class KafkaStockListener {
  private final StockService stock;
  private final JsonMapper json;

  KafkaStockListener(StockService stock, JsonMapper json) {
    this.stock = stock;
    this.json = json;
  }

  @KafkaListener(topics = "orders", groupId = "stock")
  void orderPlaced(ConsumerRecord<String, byte[]> record) {
    byte[] id = record.headers().lastHeader(KafkaWireFormat.ID).value();
    OrderPlaced order = json.readValue(record.value(), OrderPlaced.class);
    stock.take(new String(id, StandardCharsets.UTF_8), order);
  }
}
