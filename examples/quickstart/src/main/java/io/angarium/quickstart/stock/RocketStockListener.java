package io.angarium.quickstart.stock;

import io.angarium.rocketmq.RocketWireFormat;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Receives placed orders from RocketMQ, those of a queue one after another. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "rocketmq")
class RocketStockListener {
  private final StockService stock;
  private final JsonMapper json;

  RocketStockListener(StockService stock, JsonMapper json) {
    this.stock = stock;
    this.json = json;
  }

  @Bean(initMethod = "start", destroyMethod = "shutdown")
  DefaultMQPushConsumer stockConsumer(@Value("${rocketmq.name-server}") String nameServer)
      throws MQClientException {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("stock");
    consumer.setNamesrvAddr(nameServer);
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe("orders", "*");
    consumer.setMessageListener(
        (MessageListenerOrderly)
            (messages, context) -> {
              messages.forEach(this::orderPlaced);
              return ConsumeOrderlyStatus.SUCCESS; // what it throws makes the queue wait
            });
    return consumer;
  }

  private void orderPlaced(MessageExt message) {
    OrderPlaced order = json.readValue(message.getBody(), OrderPlaced.class);
    stock.take(message.getUserProperty(RocketWireFormat.ID), order);
  }
}
