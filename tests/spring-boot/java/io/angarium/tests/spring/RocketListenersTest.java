package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.ConsumeMode;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners of RocketMQ's client, and of rocketmq-spring, that process each message once. */
@RequiresServer(Server.ROCKETMQ)
class RocketListenersTest {
  private static final int ORDERS = 20;

  private final RocketServer rocket = SharedServers.rocket();
  private final String topic = "listeners-" + UUID.randomUUID();

  @Test
  @OnOneBoot
  void eachMessageIsBookedOnceOnH2() throws Exception {
    check(Movements.in(Database.h2()), Orderly.class);
  }

  @Test
  @OnOneJdk
  void eachMessageOfRocketMqSpringIsBookedOnce() throws Exception {
    check(Movements.in(Database.h2()), Annotated.class);
  }

  @Test
  @OnOneBoot
  @RequiresServer({Server.ROCKETMQ, Server.MARIADB})
  void eachMessageIsBookedOnceOnMariaDb() throws Exception {
    check(Movements.in(Database.mariaDb()), Orderly.class);
  }

  private void check(Database database, Class<?> listening) throws Exception {
    rocket.createTopic(topic, 1);
    List<Long> orders = LongStream.rangeClosed(1, ORDERS).boxed().toList();
    produceInterleaved();

    try (ConfigurableApplicationContext context = shop(database).with(listening).start()) {
      // one that Angarium sent itself
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status ->
                  context
                      .getBean(Outbox.class)
                      .send(Message.of("rocketmq:" + topic, "0".getBytes(UTF_8))));
      Movements movements = context.getBean(Movements.class);
      movements.awaitLast();

      assertThat(Movements.of(database)).isEqualTo(orders);
      assertThat(movements.failures()).isEqualTo(ORDERS / 5);
      Mailbox mailbox = context.getBean(Mailbox.class);
      orders.forEach(order -> mailbox.next());
      assertThat(mailbox.keys()).hasSize(ORDERS).doesNotHaveDuplicates();
    }
  }

  private Shop shop(Database database) {
    return Shop.on(database)
        .withoutJpa()
        .with(Booking.class)
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.rocketmq.enabled=true")
        .with("angarium.rocketmq.name-servers=" + rocket.nameServer())
        .with("rocketmq.name-server=" + rocket.nameServer())
        .with("topic=" + topic);
  }

  private void produceInterleaved() throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer(topic);
    producer.setNamesrvAddr(rocket.nameServer());
    producer.setSendMsgTimeout(30_000);
    producer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    producer.start();
    try {
      for (long order = 1; order <= ORDERS; order++) {
        producer.send(message(order));
        producer.send(message(Math.max(1, order - 1)));
        producer.send(message(Math.max(1, order - 9)));
      }
    } finally {
      producer.shutdown();
    }
  }

  private org.apache.rocketmq.common.message.Message message(long order) {
    org.apache.rocketmq.common.message.Message message =
        new org.apache.rocketmq.common.message.Message(topic, ("" + order).getBytes(UTF_8));
    message.putUserProperty("angarium-id", new UUID(0, order).toString());
    return message;
  }

  @Configuration(proxyBeanMethods = false)
  static class Booking {
    @Bean
    Movements movements(JdbcTemplate jdbc, Outbox outbox) {
      return new Movements(jdbc, outbox);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Orderly {
    @Bean
    OrderlyListener listener(Movements movements) {
      return new OrderlyListener(movements);
    }

    @Bean(initMethod = "start", destroyMethod = "shutdown")
    DefaultMQPushConsumer consumer(
        OrderlyListener listener,
        @Value("${topic}") String topic,
        @Value("${angarium.rocketmq.name-servers}") String nameServers)
        throws MQClientException {
      DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(topic);
      consumer.setNamesrvAddr(nameServers);
      consumer.setMqClientApiTimeout(30_000);
      consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
      consumer.setConsumeMessageBatchMaxSize(7);
      consumer.setSuspendCurrentQueueTimeMillis(100);
      consumer.subscribe(topic, "*");
      consumer.registerMessageListener(listener);
      return consumer;
    }
  }

  static class OrderlyListener implements MessageListenerOrderly {
    private final Movements movements;

    OrderlyListener(Movements movements) {
      this.movements = movements;
    }

    @Override
    @IdempotentConsumer(consumer = "stock")
    public ConsumeOrderlyStatus consumeMessage(
        List<MessageExt> orders, ConsumeOrderlyContext context) {
      try {
        orders.forEach(order -> movements.book(order.getBody()));
        return ConsumeOrderlyStatus.SUCCESS;
      } catch (IllegalStateException e) {
        return ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT;
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(RocketMQAutoConfiguration.class) // excluded as one of its own
  static class Annotated {
    @Bean
    AnnotatedListener listener(Movements movements) {
      return new AnnotatedListener(movements);
    }
  }

  @RocketMQMessageListener(
      topic = "${topic}",
      consumerGroup = "${topic}",
      consumeMode = ConsumeMode.ORDERLY,
      suspendCurrentQueueTimeMillis = 100)
  static class AnnotatedListener implements RocketMQListener<MessageExt> {
    private final Movements movements;

    AnnotatedListener(Movements movements) {
      this.movements = movements;
    }

    @Override
    @IdempotentConsumer(consumer = "stock")
    public void onMessage(MessageExt order) {
      movements.book(order.getBody());
    }
  }
}
