package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.topology.RabbitRedelivery;
import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.rabbitmq.topology.RabbitTopology.ExchangeType;
import io.angarium.rabbitmq.topology.RabbitTopology.QueueType;
import io.angarium.spring.rabbit.RabbitDeclarables;
import io.angarium.spring.rabbit.RedeliveringRecoverer;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A consumer with Spring AMQP on the queues of a topology. */
@RequiresServer(Server.RABBITMQ)
@ExtendWith(OutputCaptureExtension.class)
class RabbitListenerTest {
  private static final String QUEUE = "spring-stock";
  private static final String PLAIN = "spring-plain";
  private static final long LIMIT_SECONDS = 60;

  private static final RabbitTopology TOPOLOGY =
      RabbitTopology.of(QUEUE)
          .boundTo("spring-events", ExchangeType.TOPIC, "order.*")
          .retryAfter(Duration.ofMillis(50), Duration.ofMillis(200));

  private static final RabbitTopology CLASSIC =
      RabbitTopology.of(QUEUE + "-classic")
          .queueType(QueueType.CLASSIC)
          .boundTo("spring-news", ExchangeType.FANOUT, "");

  private Connection connection;
  private Channel channel;

  @BeforeEach
  void connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(SharedServers.rabbit().uri());
    factory.setHandshakeTimeout(60_000); // the machine may be busy
    connection = factory.newConnection();
    channel = connection.createChannel();
    for (RabbitTopology topology : new RabbitTopology[] {TOPOLOGY, CLASSIC}) {
      for (RabbitTopology.Queue queue : topology.queues()) {
        channel.queueDelete(queue.name());
      }
    }
    channel.queueDelete(PLAIN);
    channel.queueDeclare(PLAIN, true, false, false, null);
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
  }

  private static ConfigurableApplicationContext start() {
    return shop()
        .with("spring.rabbitmq.listener.simple.retry.enabled=true")
        .with("spring.rabbitmq.listener.simple.retry.max-attempts=1") // Spring Boot 3
        .with("spring.rabbitmq.listener.simple.retry.max-retries=0") // Spring Boot 4
        .start();
  }

  private static Shop shop() {
    return on(Consumer.class);
  }

  private static Shop on(Class<?> source) {
    RabbitServer rabbit = SharedServers.rabbit();
    return Shop.on(Database.h2())
        .withoutJpa()
        .with(source)
        .with("spring.rabbitmq.host=127.0.0.1")
        .with("spring.rabbitmq.port=" + rabbit.port())
        .with("spring.rabbitmq.publisher-confirm-type=correlated")
        .with("spring.rabbitmq.publisher-returns=true");
  }

  private void publish() throws IOException {
    BasicProperties properties =
        new BasicProperties.Builder().messageId("one").type("Paid").deliveryMode(2).build();
    channel.basicPublish("spring-events", "order.paid", properties, "paid".getBytes(UTF_8));
  }

  private GetResponse awaitDead() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    GetResponse dead = channel.basicGet(QUEUE + ".dead", true);
    while (dead == null) {
      assertThat(System.nanoTime()).as("a dead letter in time").isLessThan(deadline);
      dead = channel.basicGet(QUEUE + ".dead", true);
      LockSupport.parkNanos(10_000_000);
    }
    return dead;
  }

  @Test
  void whatAListenerFailsComesBackAfterEachPauseAndIsDeadAtLast(CapturedOutput output)
      throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      Failing listener = context.getBean(Failing.class);
      publish();

      assertThat(RabbitRedelivery.retries(listener.next())).isZero();
      assertThat(RabbitRedelivery.retries(listener.next())).isEqualTo(1);
      assertThat(RabbitRedelivery.retries(listener.next())).isEqualTo(2);

      GetResponse dead = awaitDead();
      assertThat(dead.getBody()).isEqualTo("paid".getBytes(UTF_8));
      assertThat(dead.getProps().getMessageId()).isEqualTo("one");
      assertThat(dead.getProps().getType()).isEqualTo("Paid");
      assertThat(dead.getProps().getDeliveryMode()).isEqualTo(2);
      assertThat(dead.getProps().getHeaders().get(RabbitRedelivery.FAILURE))
          .hasToString("java.lang.IllegalStateException: no stock");
      assertThat(listener.deliveries).isEmpty();
    }
    // Closed: the broker shows the dead letter before the listener's thread has its confirmation.
    assertThat(output)
        .containsOnlyOnce(
            "Message one from queue spring-stock is in spring-stock.dead now, after 2 pauses")
        .contains("IllegalStateException: no stock");
    for (RabbitTopology.Queue queue : TOPOLOGY.queues()) {
      assertThat(channel.messageCount(queue.name())).as(queue.name()).isZero();
    }
  }

  @Test
  void theQueuesAreTheSameAsThoseOfThePlainClient() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      assertThat(context.isRunning()).isTrue();
      for (RabbitTopology topology : new RabbitTopology[] {TOPOLOGY, CLASSIC}) {
        for (RabbitTopology.Queue queue : topology.queues()) {
          channel.queueDeclarePassive(queue.name()); // declared at the start
        }
        // with other arguments the broker would close the channel
        assertThatCode(() -> topology.declare(channel)).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void aDeliveryGoesBackToItsQueueIfTheRetryQueueIsGone() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      Failing listener = context.getBean(Failing.class);
      publish();
      awaitDead(); // a new connection would declare the queues again
      listener.deliveries.clear();
      channel.queueDelete(QUEUE + ".retry.50ms");
      publish();

      assertThat(RabbitRedelivery.retries(listener.next())).isZero();
      assertThat(RabbitRedelivery.retries(listener.next())).isZero();
    }
    assertThat(awaitAny().getBody()).isEqualTo("paid".getBytes(UTF_8));
  }

  /** Of one that was in both retry queues, whose pauses would take its expiration away. */
  @Test
  void aDeadLetterOutlivesThePatienceOfItsSender() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      BasicProperties impatient =
          new BasicProperties.Builder()
              .expiration("60000")
              .headers(Map.of(RabbitRedelivery.RETRIES, 2))
              .build();
      channel.basicPublish("spring-events", "order.paid", impatient, "paid".getBytes(UTF_8));

      assertThat(context.getBean(Failing.class).next()).isNotNull();

      assertThat(awaitDead().getProps().getExpiration()).isNull();
    }
  }

  /** From the work queue, or the dead ones if it came back too often meanwhile. */
  private GetResponse awaitAny() throws IOException {
    GetResponse waiting = channel.basicGet(QUEUE, true);
    return waiting == null ? awaitDead() : waiting;
  }

  @Test
  void connectionsThatDoNotConfirmAreRefused() {
    CachingConnectionFactory connections = new CachingConnectionFactory("127.0.0.1");

    assertThatThrownBy(() -> RedeliveringRecoverer.of(connections, TOPOLOGY))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("spring.rabbitmq.publisher-confirm-type")
        .hasMessageContaining("spring.rabbitmq.publisher-returns");
  }

  @Test
  void whatFailsOnAQueueWithoutATopologyIsNotLost(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      channel.basicPublish("", PLAIN, null, "one".getBytes(UTF_8));
      FailingTwice listener = context.getBean(FailingTwice.class);

      for (int i = 0; i < 3; i++) {
        assertThat(listener.deliveries.poll(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("one");
      }
    }
    assertThat(channel.messageCount(PLAIN)).isZero();
    assertThat(output).containsOnlyOnce("Queue spring-plain has no RabbitTopology");
  }

  @Test
  void queuesWithADeadLetterExchangeOfTheirOwnAreNamed() {
    CachingConnectionFactory connections = new CachingConnectionFactory("127.0.0.1");
    connections.setPublisherConfirmType(ConfirmType.CORRELATED);
    connections.setPublisherReturns(true);
    Message message = MessageBuilder.withBody(new byte[0]).build();
    message.getMessageProperties().setConsumerQueue(PLAIN);

    try (RedeliveringRecoverer recoverer =
        RedeliveringRecoverer.of(connections, TOPOLOGY).rejecting(PLAIN).rejecting("other")) {
      assertThatThrownBy(() -> recoverer.recover(message, new IllegalStateException("planned")))
          .isInstanceOf(AmqpRejectAndDontRequeueException.class);
      assertThatThrownBy(() -> recoverer.rejecting(QUEUE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "rejecting: queue spring-stock has a RabbitTopology (expected: queues without one)");
    }
    try (RedeliveringRecoverer recoverer = RedeliveringRecoverer.of(connections, TOPOLOGY)) {
      assertThatThrownBy(() -> recoverer.recover(message, new IllegalStateException("planned")))
          .isInstanceOf(ImmediateRequeueAmqpException.class);
    }
  }

  @Test
  void withoutRetriesNobodyCallsTheRecovererAndTheStartIsStopped() {
    assertThatThrownBy(() -> shop().start())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "spring.rabbitmq.listener.simple.retry.enabled: false (expected: true, and"
                + " retry.max-attempts=1");
  }

  @Test
  void aFactoryOfYourOwnWithoutRetriesIsNotToldThatTheyAreOff() {
    assertThatThrownBy(
            () ->
                shop()
                    .with(OwnFactory.class)
                    .with("spring.rabbitmq.listener.simple.retry.enabled=true")
                    .start())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "spring.rabbitmq.listener.simple.retry.enabled: true, which no listener container"
                + " factory applies (expected: ");
  }

  @Test
  void aCustomizerThatMaySetTheAdviceIsWarnedOf(CapturedOutput output) {
    try (ConfigurableApplicationContext context = shop().with(Customized.class).start()) {
      assertThat(context.isRunning()).isTrue();
    }
    assertThat(output).containsOnlyOnce("unless your ContainerCustomizer sets it");
  }

  @Test
  void withoutListenersTheRecovererNeedsNoRetries(CapturedOutput output) {
    try (ConfigurableApplicationContext context = on(Recovering.class).start()) {
      assertThat(context.isRunning()).isTrue();
    }
    assertThat(output).doesNotContain("nobody calls the bean of RedeliveringRecoverer");
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnFactory {
    @Bean
    SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
        org.springframework.amqp.rabbit.connection.ConnectionFactory connections) {
      SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
      factory.setConnectionFactory(connections);
      return factory;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    ContainerCustomizer<SimpleMessageListenerContainer> advised() {
      MethodInterceptor advice = MethodInvocation::proceed;
      return container -> container.setAdviceChain(advice);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Recovering {
    @Bean
    RedeliveringRecoverer recoverer(
        org.springframework.amqp.rabbit.connection.ConnectionFactory connections) {
      return RedeliveringRecoverer.of(connections, TOPOLOGY);
    }
  }

  /** As an application has it. */
  @Configuration(proxyBeanMethods = false)
  static class Consumer {
    @Bean
    Declarables stock() {
      return RabbitDeclarables.of(TOPOLOGY);
    }

    @Bean
    Declarables classic() {
      return RabbitDeclarables.of(CLASSIC);
    }

    @Bean
    RedeliveringRecoverer recoverer(
        org.springframework.amqp.rabbit.connection.ConnectionFactory connections) {
      return RedeliveringRecoverer.of(connections, TOPOLOGY);
    }

    @Bean
    Failing failing() {
      return new Failing();
    }

    @Bean
    FailingTwice failingTwice() {
      return new FailingTwice();
    }
  }

  static class FailingTwice {
    final LinkedBlockingQueue<String> deliveries = new LinkedBlockingQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    @RabbitListener(queues = PLAIN)
    void process(String message) {
      deliveries.add(message);
      if (calls.incrementAndGet() < 3) {
        throw new IllegalStateException("not yet");
      }
    }
  }

  static class Failing {
    final LinkedBlockingQueue<Message> deliveries = new LinkedBlockingQueue<>();

    @RabbitListener(queues = QUEUE)
    void process(Message message) {
      deliveries.add(message);
      throw new IllegalStateException("no stock");
    }

    /** The headers of the next delivery. */
    Map<String, Object> next() throws InterruptedException {
      Message next = deliveries.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("a delivery within %d s", LIMIT_SECONDS).isNotNull();
      return next.getMessageProperties().getHeaders();
    }
  }
}
