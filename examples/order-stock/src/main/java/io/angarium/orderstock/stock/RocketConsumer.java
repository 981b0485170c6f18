package io.angarium.orderstock.stock;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The client of RocketMQ that calls the listener. It must be given the bean: see its proxy. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "shop.broker", havingValue = "rocketmq")
class RocketConsumer {
  @Bean(initMethod = "start", destroyMethod = "shutdown")
  DefaultMQPushConsumer consumer(
      RocketStockListener listener, @Value("${rocketmq.name-server}") String nameServer)
      throws MQClientException {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("stock");
    consumer.setNamesrvAddr(nameServer);
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe("orders", "*");
    consumer.registerMessageListener(listener);
    return consumer;
  }
}
