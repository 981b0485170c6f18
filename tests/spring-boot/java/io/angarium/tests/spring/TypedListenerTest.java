package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.PayloadType;
import io.angarium.TypedOutbox;
import io.angarium.TypedPayloads;
import io.angarium.kafka.TypedDeserializer;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Objects from the outbox of a sender to the listener of a consumer, over Kafka. */
@RequiresServer(Server.KAFKA)
@OnBootFour
class TypedListenerTest {
  sealed interface OrderEvent permits OrderPaid, OrderCancelled {}

  @PayloadType(value = "order-paid", aliases = "OrderPaidEvent")
  record OrderPaid(long order, String currency) implements OrderEvent {}

  @PayloadType("order-cancelled")
  record OrderCancelled(long order) implements OrderEvent {}

  @Configuration(proxyBeanMethods = false)
  static class Listening {
    @Bean
    Stock stock() {
      return new Stock();
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, OrderEvent> orderEvents(
        ConsumerFactory<?, ?> common, TypedPayloads payloads) {
      ConcurrentKafkaListenerContainerFactory<String, OrderEvent> factory =
          new ConcurrentKafkaListenerContainerFactory<>();
      factory.setConsumerFactory(
          new DefaultKafkaConsumerFactory<>(
              common.getConfigurationProperties(),
              new StringDeserializer(),
              new ErrorHandlingDeserializer<>(
                  new TypedDeserializer<>(payloads, OrderEvent.class))));
      return factory;
    }
  }

  static class Stock {
    private final BlockingQueue<OrderEvent> events = new LinkedBlockingQueue<>();

    @KafkaListener(topics = "${orders.topic}", containerFactory = "orderEvents")
    @IdempotentConsumer(consumer = "stock")
    public void receive(ConsumerRecord<String, OrderEvent> event) {
      events.add(event.value());
    }

    OrderEvent next() throws InterruptedException {
      OrderEvent event = events.poll(60, TimeUnit.SECONDS);
      assertThat(event).as("within a minute").isNotNull();
      return event;
    }
  }

  @Test
  void listenerIsGivenObjectsOfThePermittedTypes() throws InterruptedException {
    KafkaServer kafka = SharedServers.kafka();
    String topic = "typed-" + UUID.randomUUID();
    kafka.createTopic(topic, 1);

    try (ConfigurableApplicationContext context =
        Shop.on(Database.h2())
            .withoutJpa()
            .with(Listening.class)
            .with("orders.topic=" + topic)
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with("angarium.kafka.enabled=true")
            .with("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
            .with("spring.kafka.consumer.group-id=" + topic)
            .with("spring.kafka.consumer.auto-offset-reset=earliest")
            .start()) {
      TypedOutbox outbox = context.getBean(TypedOutbox.class);
      TypedPayloads payloads = context.getBean(TypedPayloads.class);
      String destination = "kafka:" + topic;
      Message older = payloads.toMessage(destination, new OrderPaid(3, "EUR"));
      Message unknown = Message.of(destination, "{}").type("order-shipped");

      for (Message message :
          List.of(
              payloads.toMessage(destination, new OrderPaid(1, "EUR")),
              unknown, // is not read, and does not hold up the others
              payloads.toMessage(destination, new OrderCancelled(2)),
              older.type("OrderPaidEvent"))) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
            .executeWithoutResult(status -> outbox.send(message.key("orders")));
      }

      Stock stock = context.getBean(Stock.class);
      assertThat(stock.next()).isEqualTo(new OrderPaid(1, "EUR"));
      assertThat(stock.next()).isEqualTo(new OrderCancelled(2));
      assertThat(stock.next()).isEqualTo(new OrderPaid(3, "EUR"));
    }
  }
}
