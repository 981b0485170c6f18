package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners of RabbitMQ that process each message once. */
@RequiresServer(Server.RABBITMQ)
class RabbitListenersTest {
  private static final int ORDERS = 20;

  private final RabbitServer rabbit = SharedServers.rabbit();
  private final String queue = "listeners-" + UUID.randomUUID();
  private final String copies = queue + "-copies";
  private Connection connection;
  private Channel channel;

  @BeforeEach
  void connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    factory.setUri(rabbit.uri());
    connection = factory.newConnection();
    channel = connection.createChannel();
    channel.queueDeclare(queue, true, false, false, null);
    channel.queueDeclare(copies, true, false, false, null);
    channel.exchangeDeclare(queue, "fanout", true);
    channel.queueBind(queue, queue, "");
    channel.queueBind(copies, queue, "");
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
  }

  private Shop shop(Database database, Class<?> listener) {
    return shop(database, listener, queue);
  }

  private Shop shop(Database database, Class<?> listener, String from) {
    return Shop.on(database)
        .withoutJpa()
        .with(listener)
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.rabbitmq.enabled=true")
        .with("spring.rabbitmq.host=127.0.0.1")
        .with("spring.rabbitmq.port=" + rabbit.port())
        .with("queue=" + from);
  }

  private static List<Long> orders() {
    return LongStream.rangeClosed(1, ORDERS).boxed().toList();
  }

  @Test
  void eachMessageIsBookedOnceOnH2() throws Exception {
    checkSingle(Movements.in(Database.h2()));
  }

  @Test
  @OnOneBoot
  @RequiresServer({Server.RABBITMQ, Server.MARIADB})
  void eachMessageIsBookedOnceOnMariaDb() throws Exception {
    checkSingle(Movements.in(Database.mariaDb()));
  }

  private void checkSingle(Database database) throws Exception {
    try (ConfigurableApplicationContext context = shop(database, Single.class).start()) {
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> orders().forEach(order -> send(context.getBean(Outbox.class), order)));
      Mailbox mailbox = context.getBean(Mailbox.class);
      orders().forEach(order -> mailbox.next());
      repeatAll();
      publish(UUID.randomUUID(), Movements.LAST);

      Movements movements = context.getBean(Movements.class);
      movements.awaitLast();
      assertThat(Movements.of(database)).isEqualTo(orders());
      assertThat(mailbox.keys()).hasSize(ORDERS).doesNotHaveDuplicates();
      assertThat(movements.failures()).isEqualTo(ORDERS / 5);
    }
  }

  private void send(Outbox outbox, long order) {
    outbox.send(Message.of("rabbitmq:" + queue + "/", ("" + order).getBytes(UTF_8)));
  }

  /** What a relay does that died before it could note what it had sent. */
  private void repeatAll() throws IOException {
    GetResponse copy = channel.basicGet(copies, true);
    assertThat(copy).isNotNull();
    while (copy != null) {
      channel.basicPublish("", queue, copy.getProps(), copy.getBody());
      copy = channel.basicGet(copies, true);
    }
  }

  private void publish(UUID id, long order) throws IOException {
    channel.basicPublish(
        "",
        queue,
        new BasicProperties.Builder().messageId(id.toString()).build(),
        ("" + order).getBytes(UTF_8));
  }

  @Test
  void batchesLeaveRepeatsOut() throws Exception {
    Database database = Movements.in(Database.h2());
    for (long order = 1; order <= ORDERS; order++) {
      publish(new UUID(0, order), order);
      publish(new UUID(0, Math.max(1, order - 1)), Math.max(1, order - 1));
      publish(new UUID(0, Math.max(1, order - 9)), Math.max(1, order - 9));
    }

    try (ConfigurableApplicationContext context = shop(database, Batch.class).start()) {
      Mailbox mailbox = context.getBean(Mailbox.class);
      orders().forEach(order -> mailbox.next());
      // now, since a batch that failed is put back behind those that were fetched
      publish(UUID.randomUUID(), Movements.LAST);
      context.getBean(Movements.class).awaitLast();

      assertThat(Movements.of(database)).isEqualTo(orders());
      assertThat(mailbox.keys()).hasSize(ORDERS).doesNotHaveDuplicates();
    }
  }

  /** It can never be processed, and its queue has no dead letters. */
  @ParameterizedTest
  @ValueSource(strings = {"simple", "direct"})
  @ExtendWith(OutputCaptureExtension.class)
  void messageWithoutAnIdComesBackAfterPausesAndHoldsUpNoOther(String type, CapturedOutput output)
      throws Exception {
    Database database = Movements.in(Database.h2());
    try (ConfigurableApplicationContext context =
        shop(database, Counting.class).with("spring.rabbitmq.listener.type=" + type).start()) {
      long since = System.nanoTime();
      publish(UUID.randomUUID(), 1);
      channel.basicPublish("", queue, null, "2".getBytes(UTF_8));
      publish(UUID.randomUUID(), 3);
      publish(UUID.randomUUID(), Movements.LAST);
      context.getBean(Movements.class).awaitLast();
      Semaphore unidentified = context.getBean(Semaphore.class);

      assertThat(unidentified.tryAcquire(4, 60, TimeUnit.SECONDS)).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofSeconds(2));
      assertThat(Movements.of(database)).containsExactly(1L, 3L);
      assertThat(output.toString().lines().filter(line -> line.contains("can never be processed")))
          .hasSize(1);
    }
  }

  @Test
  void messageWithoutAnIdIsRejectedWhereItsQueueHasDeadLetters() throws Exception {
    Database database = Movements.in(Database.h2());
    String withDead = queue + "-with-dead";
    try (ConfigurableApplicationContext context =
        shop(database, WithDeadLetters.class, withDead).with("copies=" + copies).start()) {
      channel.basicPublish("", withDead, null, "2".getBytes(UTF_8));
      channel.basicPublish(
          "",
          withDead,
          new BasicProperties.Builder().messageId(UUID.randomUUID().toString()).build(),
          ("" + Movements.LAST).getBytes(UTF_8));
      context.getBean(Movements.class).awaitLast();

      assertThat(context.getBean(Semaphore.class).tryAcquire(1, 60, TimeUnit.SECONDS)).isTrue();
      assertThat(Movements.of(database)).isEmpty();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    GetResponse dead = channel.basicGet(copies, true);
    while (dead == null) {
      assertThat(System.nanoTime()).as("a dead letter in time").isLessThan(deadline);
      dead = channel.basicGet(copies, true);
    }
    assertThat(dead.getBody()).isEqualTo("2".getBytes(UTF_8));
  }

  /** Counts the deliveries of messages without an id. */
  @Configuration(proxyBeanMethods = false)
  static class Counting extends Single {
    @Bean
    Semaphore unidentified() {
      return new Semaphore(0);
    }

    @Bean
    ContainerCustomizer<SimpleMessageListenerContainer> simple(Semaphore unidentified) {
      return container -> container.setAfterReceivePostProcessors(counting(unidentified));
    }

    @Bean
    ContainerCustomizer<DirectMessageListenerContainer> direct(Semaphore unidentified) {
      return container -> container.setAfterReceivePostProcessors(counting(unidentified));
    }

    private static MessagePostProcessor counting(Semaphore unidentified) {
      return message -> {
        if (message.getMessageProperties().getMessageId() == null) {
          unidentified.release();
        }
        return message;
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WithDeadLetters extends Counting {
    @Bean
    Queue withDeadLetters(@Value("${queue}") String name, @Value("${copies}") String dead) {
      return QueueBuilder.nonDurable(name)
          .autoDelete()
          .deadLetterExchange("")
          .deadLetterRoutingKey(dead)
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Single {
    @Bean
    Movements movements(JdbcTemplate jdbc, Outbox outbox) {
      return new Movements(jdbc, outbox);
    }

    @Bean
    SingleListener listener(Movements movements) {
      return new SingleListener(movements);
    }
  }

  static class SingleListener {
    private final Movements movements;

    SingleListener(Movements movements) {
      this.movements = movements;
    }

    @RabbitListener(queues = "${queue}")
    @IdempotentConsumer(consumer = "stock")
    void receive(org.springframework.amqp.core.Message order) {
      movements.book(order.getBody());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Batch {
    @Bean
    Movements movements(JdbcTemplate jdbc, Outbox outbox) {
      return new Movements(jdbc, outbox);
    }

    @Bean
    SimpleRabbitListenerContainerFactory batches(
        org.springframework.amqp.rabbit.connection.ConnectionFactory connections) {
      SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
      factory.setConnectionFactory(connections);
      factory.setBatchListener(true);
      factory.setConsumerBatchEnabled(true);
      factory.setBatchSize(7);
      factory.setReceiveTimeout(200L);
      return factory;
    }

    @Bean
    BatchListener listener(Movements movements) {
      return new BatchListener(movements);
    }
  }

  static class BatchListener {
    private final Movements movements;

    BatchListener(Movements movements) {
      this.movements = movements;
    }

    @RabbitListener(queues = "${queue}", containerFactory = "batches")
    @IdempotentConsumer(consumer = "stock")
    void receive(List<org.springframework.amqp.core.Message> orders) {
      orders.forEach(order -> movements.book(order.getBody()));
    }
  }
}
