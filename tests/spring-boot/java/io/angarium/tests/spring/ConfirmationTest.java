package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.Receipts;
import io.angarium.handler.Delivery;
import io.angarium.handler.OutboxHandler;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.SpringInbox;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A producer that wants receipts, and a consumer that sends them. */
@RequiresServer(Server.KAFKA)
class ConfirmationTest {
  private static final String ORDERS = "confirmed-orders";
  private static final String RECEIPTS = "confirmed-orders.receipts";
  private static final long LIMIT_SECONDS = 60;

  private final KafkaServer kafka = SharedServers.kafka();

  private Shop application() {
    return Shop.on(Database.h2())
        .withoutJpa()
        .with("angarium.kafka.enabled=true")
        .with("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
  }

  @Test
  @OnOneBoot
  void messageIsConfirmedByTheTransactionThatProcessedIt() throws Exception {
    kafka.createTopic(ORDERS, 1);
    kafka.createTopic(RECEIPTS, 1);
    try (ConfigurableApplicationContext shop =
            application()
                .with("angarium.confirmation.destinations=kafka:" + ORDERS)
                .with("angarium.confirmation.timeout=1s")
                .with("angarium.confirmation.sends=100")
                .with("angarium.confirmation.receipts-from=kafka:" + RECEIPTS)
                .start();
        ConfigurableApplicationContext stock =
            application()
                .with("angarium.enabled=false") // it sends nothing else
                .with("angarium.inbox.enabled=true")
                .with("angarium.inbox.schema-mode=create")
                .with("angarium.confirmation.report-to=kafka:" + RECEIPTS)
                .start();
        KafkaConsumer<String, byte[]> consumer = consumer()) {
      MessageId first = send(shop, "first");
      MessageId second = send(shop, "second");
      Confirmations confirmations = shop.getBean(Confirmations.class);

      process(stock, next(consumer, first), false);
      process(stock, next(consumer, second), true);
      awaitUnconfirmed(confirmations, 1); // the second was rolled back

      ConsumerRecord<String, byte[]> again = next(consumer, second);
      assertThat(new String(again.value(), UTF_8)).isEqualTo("second");
      process(stock, again, false);
      awaitUnconfirmed(confirmations, 0);
    }
  }

  @Test
  @OnOneBoot
  void messageThatNobodyConfirmsIsGivenUpAfterAsManySendsAsConfigured() {
    String topic = "unconfirmed-orders";
    kafka.createTopic(topic, 1);
    try (ConfigurableApplicationContext shop =
        application()
            .with("angarium.confirmation.destinations=kafka:" + topic)
            .with("angarium.confirmation.timeout=1s")
            .with("angarium.confirmation.sends=2")
            .start()) {
      send(shop, topic, "lost");

      List<String> reasons = awaitDead(shop.getBean(JdbcTemplate.class));

      assertThat(reasons).singleElement().asString().contains("sent 2 times", "within 1s");
      assertThat(shop.getBean(Confirmations.class).unconfirmed()).isZero();
    }
  }

  private static List<String> awaitDead(JdbcTemplate jdbc) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    List<String> reasons = List.of();
    while (reasons.isEmpty() && System.nanoTime() < deadline) {
      reasons = jdbc.queryForList("SELECT reason FROM outbox_dead", String.class);
      LockSupport.parkNanos(10_000_000);
    }
    return reasons;
  }

  @Test
  void applicationWithHandlersSendsReceiptsToo() {
    try (ConfigurableApplicationContext context =
        application()
            .with(WithHandler.class)
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with("angarium.confirmation.report-to=kafka:" + RECEIPTS)
            .start()) {
      assertThat(context.getBean(Receipts.class)).isNotNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WithHandler {
    @Bean
    OutboxHandler<Connection> handler() {
      return new OutboxHandler<>() {
        @Override
        public String name() {
          return "nothing";
        }

        @Override
        public void handle(Connection connection, Delivery delivery) {
          // nothing is to be done
        }
      };
    }
  }

  @Test
  void missingTransportForReceiptsIsTold() {
    assertThatThrownBy(
            () ->
                application()
                    .with("angarium.inbox.enabled=true")
                    .with("angarium.inbox.schema-mode=create")
                    .with("angarium.confirmation.report-to=pigeon:loft")
                    .start())
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContaining("angarium.confirmation.report-to: pigeon:loft");
  }

  @Test
  void handlerWhoseMessagesNobodyWouldConfirmIsTold() {
    assertThatThrownBy(
            () ->
                application()
                    .with("angarium.confirmation.destinations=kafka:orders,handler:nothing")
                    .with("angarium.confirmation.receipts-from=kafka:" + RECEIPTS)
                    .start())
        .rootCause()
        .hasMessageContaining("angarium.confirmation.destinations: handler:nothing (expected:");
  }

  private KafkaConsumer<String, byte[]> consumer() {
    KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "stock",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.subscribe(List.of(ORDERS));
    return consumer;
  }

  private static MessageId send(ConfigurableApplicationContext shop, String text) {
    return send(shop, ORDERS, text);
  }

  private static MessageId send(ConfigurableApplicationContext shop, String topic, String text) {
    TransactionTemplate transactions =
        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class));
    MessageId id =
        transactions.execute(
            status ->
                shop.getBean(Outbox.class)
                    .send(Message.of("kafka:" + topic, text.getBytes(UTF_8))));
    assertThat(id).isNotNull();
    return id;
  }

  private static ConsumerRecord<String, byte[]> next(
      KafkaConsumer<String, byte[]> consumer, MessageId id) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (System.nanoTime() < deadline) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
        if (idOf(record).equals(id)) {
          return record;
        }
      }
    }
    throw new AssertionError("message " + id + " did not come");
  }

  private static MessageId idOf(ConsumerRecord<String, byte[]> record) {
    return MessageId.parse(new String(record.headers().lastHeader("angarium-id").value(), UTF_8));
  }

  /** In a transaction that was begun before, as a listener with a transaction manager has it. */
  private static void process(
      ConfigurableApplicationContext stock, ConsumerRecord<String, byte[]> record, boolean fail) {
    Inbox<Connection> inbox = stock.getBean(SpringInbox.class);
    new TransactionTemplate(stock.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              inbox.process(InboxKey.of("stock", idOf(record)), connection -> {});
              if (fail) {
                status.setRollbackOnly();
              }
            });
  }

  static void awaitUnconfirmed(Confirmations confirmations, int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (confirmations.unconfirmed() != count && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(confirmations.unconfirmed()).isEqualTo(count);
  }
}
