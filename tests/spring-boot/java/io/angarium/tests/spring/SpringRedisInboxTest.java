package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Outbox;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.SpringInbox;
import io.angarium.spring.SpringRedisInbox;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.RedisServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestCertificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The inbox on Redis by properties, with the Lettuce of this generation of Spring Boot. */
@RequiresServer(Server.REDIS)
class SpringRedisInboxTest {
  private static final ServerOptions OWN = ServerOptions.standard().ownProcess();
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final RedisServer redis = SharedServers.redis();
  private final Database database = Movements.in(Database.h2());
  private final String prefix =
      "spring-" + ProcessHandle.current().pid() + "-" + PREFIXES.incrementAndGet();

  @Test
  void propertiesMakeIt() {
    try (ConfigurableApplicationContext context =
        consumer()
            .with("angarium.inbox.redis.uri=" + redis.uri())
            .with("angarium.inbox.redis.retention=2d")
            .with("angarium.inbox.redis.replay-window=1d")
            .start()) {
      SpringRedisInbox inbox = context.getBean(SpringRedisInbox.class);

      assertThat(inbox.process(key("1"), claim -> assertThat(claim.token()).isPositive())).isTrue();
      assertThat(inbox.process(key("1"), claim -> {})).isFalse();
      assertThat(inbox.processAll(List.of(key("1"), key("2")), (claim, fresh) -> {}))
          .isEqualTo(Set.of(key("2")));

      assertThat(secondsLeft(key("1"))).isBetween(86_400L, 2 * 86_400L);
      assertThat(context.getBeanNamesForType(Inbox.class)).containsExactly("angariumRedisInbox");
      assertThat(context.getBeanNamesForType(Outbox.class)).isEmpty();
    }
  }

  private long secondsLeft(InboxKey key) {
    return Long.parseLong(
        redis.order("TTL " + prefix + ":" + key.consumer() + ":" + key.id()).strip());
  }

  @Test
  void addressOfSpringBootIsTaken() {
    try (ConfigurableApplicationContext context =
        consumer()
            .with("spring.data.redis.host=" + redis.host())
            .with("spring.data.redis.port=" + redis.port())
            .start()) {
      assertThat(context.getBean(SpringRedisInbox.class).process(key("1"), claim -> {})).isTrue();
    }
  }

  @Test
  void userAndPasswordAreTakenFromTheAddressAndFromSpringBoot() {
    try (RedisServer closed = RedisServer.start(OWN)) {
      closed.order("ACL SETUSER stock on >secret ~* +@all");
      closed.order("CONFIG SET requirepass other");

      assertProcesses(
          "1", "angarium.inbox.redis.uri=" + closed.uri().replace("//", "//stock:secret@"));
      assertProcesses(
          "2", "angarium.inbox.redis.uri=" + closed.uri().replace("//", "//:other@"));
      assertProcesses(
          "3",
          "spring.data.redis.host=" + closed.host(),
          "spring.data.redis.port=" + closed.port(),
          "spring.data.redis.username=stock",
          "spring.data.redis.password=secret");
    }
  }

  @Test
  void addressWithTlsIsTaken(@TempDir Path folder) {
    TestCertificate own = TestCertificate.in(folder);
    int port = FreePort.find();
    try (RedisServer secure =
        RedisServer.start(
            OWN.setting("tls-port", Integer.toString(port))
                .setting("tls-cert-file", own.certificate().toString())
                .setting("tls-key-file", own.privateKey().toString())
                .setting("tls-auth-clients", "no"))) {
      String uri = "angarium.inbox.redis.uri=rediss://" + secure.host() + ":" + port;

      assertProcesses("1", uri + "?verifyPeer=NONE");
      assertThatThrownBy(() -> consumer().with(uri).start())
          .rootCause()
          .hasMessageContaining("certification path");

      String bundle = "spring.ssl.bundle.pem.redis.truststore.certificate=" + own.certificate();
      assertProcesses(
          "2",
          "spring.data.redis.host=" + secure.host(),
          "spring.data.redis.port=" + port,
          "spring.data.redis.ssl.bundle=redis",
          bundle);
      assertProcesses("3", uri, "spring.data.redis.ssl.bundle=redis", bundle);
    }
  }

  @Test
  @OnOneBoot
  void masterIsFoundBySentinels() {
    try (RedisServer master = RedisServer.start(OWN);
        RedisServer sentinel = RedisServer.startSentinel("stock", master)) {
      assertProcesses(
          "1",
          "angarium.inbox.redis.uri=redis-sentinel://127.0.0.1:" + sentinel.port() + "#stock");
    }
  }

  private void assertProcesses(String text, String... properties) {
    Shop shop = consumer();
    for (String property : properties) {
      shop = shop.with(property);
    }
    try (ConfigurableApplicationContext context = shop.start()) {
      SpringRedisInbox inbox = context.getBean(SpringRedisInbox.class);
      assertThat(inbox.process(key(text), claim -> {})).isTrue();
      assertThat(inbox.process(key(text), claim -> {})).isFalse();
    }
  }

  @Test
  void listenerIsCalledOnceAndItsTransactionEndsBeforeTheNote() {
    try (ConfigurableApplicationContext context = bookings().start()) {
      Bookings listener = context.getBean(Bookings.class);

      assertThatThrownBy(() -> listener.book("1")).hasMessage("planned");
      listener.book("1");
      listener.book("1");

      assertThat(Movements.of(database)).containsExactly(1L);
      assertThat(listener.calls()).containsExactly("1", "1");
    }
  }

  /** Its commit would come after the note. */
  @Test
  void transactionAroundItIsRefused() {
    try (ConfigurableApplicationContext context = bookings().start()) {
      Bookings listener = context.getBean(Bookings.class);
      TransactionTemplate around =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

      assertThatThrownBy(() -> around.executeWithoutResult(status -> listener.book("2")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inbox on Redis");
      assertThat(listener.calls()).isEmpty();

      assertThatThrownBy(() -> listener.book("2")).hasMessage("planned");
    }
  }

  /** Spring does not count it as active, and its commit comes after the note all the same. */
  @Test
  void transactionOfKafkaAroundItIsRefused() {
    MockProducer<String, String> producer = new MockProducer<>(); // of Kafka's own
    producer.initTransactions();
    ProducerFactory<String, String> producers =
        new ProducerFactory<>() {
          @Override
          public Producer<String, String> createProducer() {
            return producer;
          }

          @Override
          public Producer<String, String> createProducer(String prefix) {
            return producer;
          }

          @Override
          public boolean transactionCapable() {
            return true;
          }
        };
    try (ConfigurableApplicationContext context = bookings().start()) {
      Bookings listener = context.getBean(Bookings.class);
      TransactionTemplate around =
          new TransactionTemplate(new KafkaTransactionManager<>(producers));

      assertThatThrownBy(() -> around.executeWithoutResult(status -> listener.book("3")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inbox on Redis");
      assertThat(listener.calls()).isEmpty();

      assertThatThrownBy(() -> listener.book("3")).hasMessage("planned");
    }
  }

  @Test
  @OnOneBoot
  void besideTheInboxInTheDatabaseItIsTakenByName() {
    try (ConfigurableApplicationContext context =
        bookings()
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with(ByName.class)
            .start()) {
      assertThat(context.getBean(Inbox.class)).isInstanceOf(SpringInbox.class);

      context.getBean(Mails.class).send("1");

      assertThat(secondsLeft(InboxKey.of("mails", "1"))).isPositive();
    }
  }

  private Shop consumer() {
    return Shop.on(database)
        .withoutJpa()
        .with("angarium.enabled=false")
        .with("angarium.inbox.redis.enabled=true")
        .with("angarium.inbox.redis.command-timeout=10s") // the machine may be busy
        .with("angarium.inbox.redis.prefix=" + prefix);
  }

  private Shop bookings() {
    return consumer()
        .with("angarium.inbox.redis.uri=" + redis.uri())
        .with(BookingConfiguration.class);
  }

  private static InboxKey key(String text) {
    return InboxKey.of("stock", text);
  }

  @Configuration(proxyBeanMethods = false)
  static class BookingConfiguration {
    @Bean
    Bookings bookings(JdbcTemplate jdbc) {
      return new Bookings(jdbc);
    }
  }

  /** Fails after its first row, which its own transaction then rolls back. */
  static class Bookings {
    private final JdbcTemplate jdbc;
    private final List<String> calls = new CopyOnWriteArrayList<>();

    Bookings(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    /** A method, since the bean is a proxy. */
    public List<String> calls() {
      return calls;
    }

    @IdempotentConsumer(consumer = "bookings", key = "#p0")
    @Transactional
    public void book(String order) {
      calls.add(order);
      jdbc.update("INSERT INTO movement (order_id) VALUES (?)", Long.valueOf(order));
      if (calls.size() == 1) {
        throw new IllegalStateException("planned");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ByName {
    @Bean
    Mails mails() {
      return new Mails();
    }
  }

  static class Mails {
    @IdempotentConsumer(consumer = "mails", key = "#p0", inbox = "angariumRedisInbox")
    public void send(String mail) {
      assertThat(mail).isNotEmpty();
    }
  }
}
