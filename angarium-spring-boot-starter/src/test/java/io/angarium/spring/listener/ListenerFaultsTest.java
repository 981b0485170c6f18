package io.angarium.spring.listener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.rabbitmq.client.Channel;
import io.angarium.ConfigurationException;
import io.angarium.confirmation.Receipts;
import io.angarium.handler.Delivery;
import io.angarium.inbox.Inbox;
import io.angarium.spring.SpringRedisInbox;
import io.angarium.testkit.memory.InMemoryInbox;
import jakarta.transaction.Transactional.TxType;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import kotlin.coroutines.Continuation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What is declared wrongly stops the start. */
class ListenerFaultsTest {
  private static AnnotationConfigApplicationContext context(Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(context.getBeanFactory()));
    for (Class<?> bean : beans) {
      context.registerBean(bean);
    }
    return context;
  }

  private static List<String> faults(Class<?>... beans) {
    try (AnnotationConfigApplicationContext context = context(beans)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      return catchThrowableOfType(ConfigurationException.class, context::refresh).faults();
    }
  }

  static class Texts {
    @RabbitListener(queues = "q")
    @IdempotentConsumer(consumer = "a")
    void rabbit(String payload) {}

    @KafkaListener(topics = "t")
    @IdempotentConsumer(consumer = "a")
    void kafka(String payload) {}

    @IdempotentConsumer(consumer = "a")
    void any(String payload) {}
  }

  /** Of a library that nobody here knows. */
  interface Receipt {
    void ack();
  }

  static class Unsafe {
    @IdempotentConsumer(consumer = "a")
    Object suspending(Message message, Continuation<Void> rest) {
      return message;
    }

    @IdempotentConsumer(consumer = "a")
    List<CompletableFuture<Void>> several(Message message) {
      return List.of();
    }

    @IdempotentConsumer(consumer = "a")
    Callable<String> callable(Message message) {
      return () -> "";
    }

    @IdempotentConsumer(consumer = "a")
    Flow.Publisher<String> publisher(Message message) {
      return subscriber -> {};
    }

    @IdempotentConsumer(consumer = "a")
    void shareConsumer(Message message, ShareConsumer<String, String> consumer) {}

    @IdempotentConsumer(consumer = "a")
    void unknown(Message message, Receipt receipt) {}

    @IdempotentConsumer(consumer = "a")
    void acknowledgments(Message message, List<Acknowledgment> all) {}
  }

  @Test
  void workThatGoesOnAndAcknowledgementsOfUnknownKindsStopTheStart() {
    assertThat(faults(Unsafe.class))
        .hasSize(7)
        .anySatisfy(f -> assertThat(f).contains("suspending", "suspend (expected: not to be"))
        .anySatisfy(f -> assertThat(f).contains("several", "returns List"))
        .anySatisfy(f -> assertThat(f).contains("callable", "returns Callable"))
        .anySatisfy(f -> assertThat(f).contains("publisher", "returns Publisher"))
        .anySatisfy(f -> assertThat(f).contains("shareConsumer", "with a ShareConsumer"))
        .anySatisfy(f -> assertThat(f).contains("unknown", "Receipt", "before the commit: ack"))
        .anySatisfy(f -> assertThat(f).contains("acknowledgments", "several Acknowledgment"));
  }

  static class Content {
    @IdempotentConsumer(consumer = "a")
    void receive(@Payload Receipt content, @Header("angarium-id") String id) {}
  }

  @Test
  void contentOfAMessageMayHaveMethodsOfAnyName() {
    try (AnnotationConfigApplicationContext context = context(Content.class)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);

      context.refresh();
    }
  }

  @Test
  void adviceThatRunsAListenerOnAnotherThreadStopsTheStart() {
    try (AnnotationConfigApplicationContext context = context(Elsewhere.class)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      context.registerBean(
          AsyncAnnotationBeanPostProcessor.class,
          () -> {
            AsyncAnnotationBeanPostProcessor async = new AsyncAnnotationBeanPostProcessor();
            async.setAsyncAnnotationType(InBackground.class);
            return async;
          });

      assertThat(catchThrowableOfType(ConfigurationException.class, context::refresh).faults())
          .singleElement()
          .asString()
          .contains("Elsewhere.receive", "run on another thread");
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface InBackground {}

  static class Elsewhere {
    @InBackground
    @IdempotentConsumer(consumer = "a")
    void receive(Message message) {}
  }

  @Test
  void theHeaderWithTheIdIsNamedAsTheLibraryOfTheListenerCallsIt() {
    String angarium = "@Header(\"angarium-id\")";
    String amqp = "@Header(\"amqp_messageId\")";

    assertThat(faults(Texts.class))
        .hasSize(3)
        .anySatisfy(fault -> assertThat(fault).contains("rabbit", amqp).doesNotContain(angarium))
        .anySatisfy(fault -> assertThat(fault).contains("kafka", angarium).doesNotContain(amqp))
        .anySatisfy(fault -> assertThat(fault).contains("any", angarium, "on RabbitMQ a " + amqp));
  }

  static class Wrong {
    @IdempotentConsumer(consumer = " ")
    void blank(Message message) {}

    @IdempotentConsumer(consumer = "a")
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // as wrong as it is meant to be
    private void hidden(Message message) {}

    @IdempotentConsumer(consumer = "a")
    static void fixed(Message message) {}

    @IdempotentConsumer(consumer = "a")
    final void last(Message message) {}

    @IdempotentConsumer(consumer = "a")
    void nothing(String payload) {}

    @IdempotentConsumer(consumer = "a")
    void several(List<String> payloads) {}

    @IdempotentConsumer(consumer = "a", businessKey = true, key = "#p0")
    void keys(Message message) {}

    @IdempotentConsumer(consumer = "a", type = "order")
    void type(Message message) {}

    @IdempotentConsumer(consumer = "a", key = "1 +")
    void syntax(Message message) {}

    @IdempotentConsumer(consumer = "a", extractor = OfRecords.class)
    void extractor(Message message) {}

    @IdempotentConsumer(consumer = "a")
    CompletableFuture<Void> later(Message message) {
      return CompletableFuture.completedFuture(null);
    }

    @IdempotentConsumer(consumer = "a")
    int number(Message message) {
      return 1;
    }

    @Async
    @IdempotentConsumer(consumer = "a")
    void elsewhere(Message message) {}

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @IdempotentConsumer(consumer = "a")
    void apart(Message message) {}

    @jakarta.transaction.Transactional(TxType.NOT_SUPPORTED)
    @IdempotentConsumer(consumer = "a")
    void without(Message message) {}

    @IdempotentConsumer(consumer = "a")
    void channel(Message message, Channel channel) {}

    @RabbitListener(queues = "stock", ackMode = "MANUAL")
    @IdempotentConsumer(consumer = "a")
    void manual(Message message) {}

    @RabbitListener(queues = "stock", ackMode = "NONE")
    @IdempotentConsumer(consumer = "a")
    void none(Message message) {}

    @IdempotentConsumer(consumer = "a")
    void committing(ConsumerRecord<String, String> record, Consumer<String, String> consumer) {}

    @Retryable
    @IdempotentConsumer(consumer = "a")
    void retried(Message message) {}

    @IdempotentConsumer(consumer = "a", key = "#p0.![length()]")
    void payloads(List<String> payloads) {}

    @IdempotentConsumer(consumer = "a", key = "#p0.length")
    void array(String[] payloads) {}

    @IdempotentConsumer(consumer = "a")
    void headers(@Header("angarium-id") List<String> ids) {}

    @IdempotentConsumer(consumer = "a")
    void lists(List<Message> messages, List<String> keys) {}

    @IdempotentConsumer(consumer = "a")
    void handler(Delivery delivery) {}
  }

  static class OfRecords implements KeyExtractor<ConsumerRecord<String, String>> {
    @Override
    public Optional<String> keyOf(ConsumerRecord<String, String> message) {
      return Optional.empty();
    }
  }

  @Test
  void everyFaultIsListedWithItsMethodAndWhatWasExpected() {
    List<String> faults = faults(Wrong.class);

    assertThat(faults)
        .allSatisfy(fault -> assertThat(fault).contains("@IdempotentConsumer", "(expected: "));
    for (String[] expected :
        new String[][] {
          {"Wrong.blank", "1..100 characters"},
          {"Wrong.hidden", "private"},
          {"Wrong.fixed", "static"},
          {"Wrong.last", "final"},
          {"Wrong.nothing", "ConsumerRecord", "angarium-id"},
          {"Wrong.several", "ConsumerRecord"},
          {"Wrong.keys", "one of them"},
          {"Wrong.type", "'order'"},
          {"Wrong.syntax", "'1 +'"},
          {"Wrong.extractor", "of ConsumerRecord (expected: of Message"},
          {"Wrong.extractor", "one bean"},
          {"Wrong.later", "CompletableFuture"},
          {"Wrong.number", "int"},
          {"Wrong.elsewhere", "@Async"},
          {"Wrong.apart", "REQUIRES_NEW"},
          {"Wrong.without", "value = NOT_SUPPORTED"},
          {"Wrong.channel", "after the commit"},
          {"Wrong.manual", "after the commit"},
          {"Wrong.none", "ackMode NONE", "after the commit"},
          {"Wrong.committing", "a Consumer", "after the commit"},
          {"Wrong.retried", "@Retryable", "one transaction"},
          {"Wrong.payloads", "List of what is no message"},
          {"Wrong.array", "String[] of what is no message"},
          {"Wrong.headers", "List of what is no message"},
          {"Wrong.lists", "2 lists"},
          {"Wrong.handler", "businessKey"}
        }) {
      assertThat(faults)
          .as(String.join(", ", expected))
          .anySatisfy(fault -> assertThat(fault).contains(expected));
    }
    assertThat(faults).hasSize(26);
  }

  static class Unusual {
    @Retryable(stateful = true)
    @IdempotentConsumer(consumer = "a")
    void stateful(Message message) {}

    @IdempotentConsumer(consumer = "b", key = "#p0")
    void bytes(byte[] payload) {}

    @IdempotentConsumer(consumer = "c", key = "body")
    void beside(Message message, List<String> list) {}

    @IdempotentConsumer(consumer = "d")
    void payload(List<String> payload, @Header("angarium-id") String id) {}
  }

  @Test
  void whatLeavesTheNextAttemptToTheContainerOrNamesOneMessagePasses() {
    try (AnnotationConfigApplicationContext context = context(Unusual.class)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      context.refresh();

      assertThat(context.isRunning()).isTrue();
    }
  }

  static class OfContainers {
    @RabbitListener(queues = "stock")
    @IdempotentConsumer(consumer = "a")
    void usual(Message message) {}

    @RabbitListener(queues = "stock", containerFactory = "${none:automatic}")
    @IdempotentConsumer(consumer = "b")
    void named(Message message) {}

    @RabbitListener(queues = "stock", ackMode = "AUTO")
    @IdempotentConsumer(consumer = "c")
    void overriding(Message message) {}
  }

  @Test
  void containerThatDoesNotAcknowledgeByItselfIsRefused() {
    try (AnnotationConfigApplicationContext context = context(OfContainers.class)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      factory(context, "rabbitListenerContainerFactory", AcknowledgeMode.MANUAL);
      factory(context, "automatic", AcknowledgeMode.AUTO);

      assertThat(catchThrowableOfType(ConfigurationException.class, context::refresh).faults())
          .singleElement()
          .asString()
          .contains("OfContainers.usual", "ackMode MANUAL");
    }
  }

  private static void factory(
      AnnotationConfigApplicationContext context, String name, AcknowledgeMode mode) {
    context.registerBean(
        name,
        SimpleRabbitListenerContainerFactory.class,
        () -> {
          SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
          factory.setAcknowledgeMode(mode);
          return factory;
        });
  }

  static class InTransactions {
    @KafkaListener(topics = "stock")
    @IdempotentConsumer(consumer = "a")
    void ofKafka(ConsumerRecord<String, String> record) {}

    @KafkaListener(topics = "stock", containerFactory = "plain")
    @IdempotentConsumer(consumer = "b")
    void ofKafkaWithout(ConsumerRecord<String, String> record) {}

    @RabbitListener(queues = "stock")
    @IdempotentConsumer(consumer = "c")
    void ofRabbit(Message message) {}

    @RabbitListener(queues = "stock", containerFactory = "automatic")
    @IdempotentConsumer(consumer = "d")
    void ofRabbitWithout(Message message) {}
  }

  private static AnnotationConfigApplicationContext inTransactions(Inbox<?> inbox) {
    AnnotationConfigApplicationContext context = context(InTransactions.class);
    context.registerBean(Inbox.class, () -> inbox, bean -> bean.setDestroyMethodName(""));
    context.registerBean(
        "kafkaListenerContainerFactory",
        ConcurrentKafkaListenerContainerFactory.class,
        () -> {
          ConcurrentKafkaListenerContainerFactory<String, String> factory = ofKafka();
          var producers = new DefaultKafkaProducerFactory<String, String>(Map.of());
          producers.setTransactionIdPrefix("stock-");
          factory
              .getContainerProperties()
              .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
          return factory;
        });
    context.registerBean(
        "plain", ConcurrentKafkaListenerContainerFactory.class, ListenerFaultsTest::ofKafka);
    context.registerBean(
        "rabbitListenerContainerFactory",
        SimpleRabbitListenerContainerFactory.class,
        () -> {
          SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
          factory.setChannelTransacted(true);
          return factory;
        });
    factory(context, "automatic", AcknowledgeMode.AUTO);
    return context;
  }

  private static ConcurrentKafkaListenerContainerFactory<String, String> ofKafka() {
    var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
    factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
    return factory;
  }

  /** They end after the note, and a message that is noted does not come again. */
  @Test
  void transactionOfABrokerAroundTheInboxOnRedisIsRefused() {
    try (AnnotationConfigApplicationContext context =
        inTransactions(new SpringRedisInbox(null, null))) {
      List<String> faults =
          catchThrowableOfType(ConfigurationException.class, context::refresh).faults();

      assertThat(faults)
          .satisfiesExactlyInAnyOrder(
              fault ->
                  assertThat(fault)
                      .contains("InTransactions.ofKafka:", "KafkaTransactionManager", "Redis"),
              fault ->
                  assertThat(fault)
                      .contains("InTransactions.ofRabbit:", "channelTransacted", "Redis"));
    }
  }

  @Test
  void transactionOfABrokerAroundAnotherInboxIsWarnedOf() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try (AnnotationConfigApplicationContext context = inTransactions(new InMemoryInbox())) {
      context.refresh();
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("WARN")))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .contains("InTransactions.ofKafka in", "KafkaTransactionManager", "Outbox"),
            line -> assertThat(line).contains("InTransactions.ofRabbit in", "channelTransacted"));
  }

  static class Keyed {
    @IdempotentConsumer(consumer = "a", key = "#p0")
    void payload(String order) {}

    @IdempotentConsumer(consumer = "b", key = "#p0")
    void header(String order, @Header("angarium-id") String id) {}

    @IdempotentConsumer(consumer = "c", key = "body")
    void whole(Message message) {}
  }

  @Test
  void listenerThatCannotTellItsSenderIsRefusedWhereSendersAreTold() {
    try (AnnotationConfigApplicationContext context = context(Keyed.class)) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      context.registerBean(Receipts.class, () -> Receipts.start(ids -> {}));

      assertThat(catchThrowableOfType(ConfigurationException.class, context::refresh).faults())
          .singleElement()
          .asString()
          .contains("Keyed.payload", "angarium.confirmation.report-to");
    }
  }

  static final class Sealed {
    @IdempotentConsumer(consumer = "a")
    void receive(Message message) {}
  }

  static class Right {
    @IdempotentConsumer(consumer = "${unknown}")
    void receive(Message message) {}
  }

  static class Stock {
    @IdempotentConsumer(consumer = "stock")
    void receive(Message message) {}

    @IdempotentConsumer(consumer = "stock")
    void another(ConsumerRecord<String, String> record) {}

    @IdempotentConsumer(consumer = "both", shared = true)
    void shared(Message message) {}
  }

  static class Invoices {
    @IdempotentConsumer(consumer = "stock")
    void receive(Message message) {}

    @IdempotentConsumer(consumer = "both", shared = true)
    void shared(Message message) {}
  }

  @Test
  void finalClassIsRefused() {
    assertThat(faults(Sealed.class)).singleElement().asString().contains("Sealed.receive", "final");
  }

  @Test
  void placeholderThatIsUnknownIsRefused() {
    assertThat(faults(Right.class)).singleElement().asString().contains("unknown");
  }

  @Test
  void twoClassesWithOneConsumerAreRefusedUnlessTheySaySo() {
    assertThat(faults(Stock.class, Invoices.class))
        .singleElement()
        .asString()
        .contains("\"stock\"", "Stock.", "Invoices.receive", "shared = true");
  }

  @Test
  void withoutAnInboxItSaysHowToSwitchItOn() {
    try (AnnotationConfigApplicationContext context = context(Stock.class)) {
      assertThatThrownBy(context::refresh)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("Stock.receive", "angarium.inbox.enabled=true");
    }
  }

  @Test
  void severalInboxesAreToldApartByName() {
    try (AnnotationConfigApplicationContext context = context(Stock.class)) {
      context.registerBean("one", Inbox.class, InMemoryInbox::new);
      context.registerBean("two", Inbox.class, InMemoryInbox::new);

      assertThatThrownBy(context::refresh)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("Stock.receive", "its name at inbox", "one,two");
    }
    try (AnnotationConfigApplicationContext context = context(Named.class)) {
      context.registerBean("one", Inbox.class, InMemoryInbox::new);
      context.registerBean("two", Inbox.class, InMemoryInbox::new);
      context.refresh();

      assertThat(context.isRunning()).isTrue();
    }
  }

  static class Named {
    @IdempotentConsumer(consumer = "stock", inbox = "two")
    void receive(Message message) {}
  }

  @Test
  void beanThatIsCreatedLaterIsRefusedThen() {
    try (AnnotationConfigApplicationContext context = context()) {
      context.registerBean(Inbox.class, InMemoryInbox::new);
      context.registerBean(Sealed.class, definition -> definition.setLazyInit(true));
      context.refresh();

      assertThatThrownBy(() -> context.getBean(Sealed.class))
          .rootCause()
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("Sealed.receive");
    }
  }
}
