package io.angarium.orderstock.stock;

import io.angarium.spring.listener.IdempotentConsumer;
import java.util.List;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Receives paid orders from RocketMQ. */
@Component
@ConditionalOnProperty(name = "shop.broker", havingValue = "rocketmq")
class RocketStockListener implements MessageListenerConcurrently {
  /** The first of the broker's delays, a second. */
  private static final int SHORTEST = 1;

  private final StockService stock;

  RocketStockListener(StockService stock) {
    this.stock = stock;
  }

  @Override
  @IdempotentConsumer(consumer = "stock")
  public ConsumeConcurrentlyStatus consumeMessage(
      List<MessageExt> messages, ConsumeConcurrentlyContext context) {
    context.setDelayLevelWhenNextConsume(SHORTEST);
    messages.forEach(message -> stock.deduct(message.getBody()));
    return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
  }
}
