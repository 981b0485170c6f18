package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.TokenSource;
import io.angarium.half.Verdict;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.jdbc.JdbcHalfMessages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Half messages of an application, by properties. */
class SpringHalfMessagesTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.kafka.enabled=false")
        .with("angarium.rabbitmq.enabled=false")
        .with("angarium.rocketmq.enabled=false")
        .with("angarium.jdbc.schema-mode=create")
        .with("angarium.half.check.min-pause=100ms");
  }

  private Shop enabled() {
    return shop().with("angarium.half.enabled=true");
  }

  /** For half messages that nobody decides: others would have to be decided within a second. */
  private Shop asking() {
    return enabled().with("angarium.half.check.first=1s");
  }

  private static HalfKey key(String key) {
    return new HalfKey("order-paid", key);
  }

  static HalfMessage message(String key) {
    return HalfMessage.of(
        key(key), Message.of("mailbox:orders", "paid".getBytes(UTF_8)).key(key));
  }

  /** Fails if it does not come; the orders of the shop have messages of their own. */
  private static void awaitSent(ConfigurableApplicationContext context, String key) {
    Mailbox mailbox = context.getBean(Mailbox.class);
    String next = "";
    while (!next.equals(key)) {
      next = String.valueOf(mailbox.next().message().key());
    }
  }

  @Test
  @OnOneBoot
  void oldOutcomesAreForgottenByThemselves() {
    try (ConfigurableApplicationContext context =
        enabled()
            .with("angarium.retention.half-messages=1d")
            .with("angarium.retention.interval=1s")
            .start()) {
      HalfMessages half = context.getBean(HalfMessages.class);
      half.prepare(message("old"));
      half.rollback(key("old"));
      half.prepare(message("young"));
      half.rollback(key("young"));
      database.jdbc().execute(
          "UPDATE outbox_half SET decided_at = '2020-01-01 00:00:00', created_at ="
              + " '2020-01-01 00:00:00' WHERE half_key = 'old'");

      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (half.state(key("old")) != HalfState.UNKNOWN) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(10_000_000);
      }

      assertThat(half.state(key("young"))).isEqualTo(HalfState.ROLLED_BACK);
    }
  }

  @Test
  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  void aMessageIsSentIfAndOnlyIfItsTransactionCommits() {
    try (ConfigurableApplicationContext context =
        enabled().with("angarium.half.check.markers=order-paid").start()) {
      TransactionalMessages<Connection> messages = context.getBean(TransactionalMessages.class);
      Orders orders = context.getBean(Orders.class);

      messages.send(message("1"), connection -> place(orders, 1));
      assertThatThrownBy(
              () ->
                  messages.send(
                      message("2"),
                      connection -> {
                        orders.placeAndFail(2);
                        return true;
                      }))
          .hasMessage("planned");

      awaitSent(context, "1");
      assertThat(database.orders()).containsExactly(1L);
      assertThat(context.getBean(HalfMessages.class)).isInstanceOf(JdbcHalfMessages.class);
      assertThat(context.getBean(HalfMessages.class).state(key("2")))
          .isEqualTo(HalfState.ROLLED_BACK);
    }
  }

  private static boolean place(Orders orders, long id) {
    orders.place(id);
    return true;
  }

  @Test
  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  void markersAnswerForAProducerThatDiedAfterItsTransaction() {
    try (ConfigurableApplicationContext context =
        asking().with("angarium.half.check.markers=order-paid").start()) {
      LocalTransactions<Connection> local = context.getBean(LocalTransactions.class);
      Orders orders = context.getBean(Orders.class);
      HalfMessages half = context.getBean(HalfMessages.class);

      // in this order, or a check-back might come before the marker
      local.run(new Marker("order-paid", "1"), connection -> place(orders, 1));
      half.prepare(message("1"));

      awaitSent(context, "1");
      assertThat(half.state(key("1"))).isEqualTo(HalfState.COMMITTED);
    }
  }

  @Test
  @OnOneBoot
  void aBeanAnswersForTheBusinessOfItsName() {
    try (ConfigurableApplicationContext context = asking().with(Answering.class).start()) {
      context.getBean(HalfMessages.class).prepare(message("1"));

      awaitSent(context, "1");
      assertThat(
              context
                  .getBean(CheckBackEndpoint.class)
                  .answer("{\"business\":\"order-paid\",\"keys\":[\"1\"]}")
                  .body())
          .isEqualTo("{\"verdicts\":[\"COMMITTED\"]}");
    }
  }

  /** Knows that everything has committed. */
  @Configuration(proxyBeanMethods = false)
  static class Answering {
    @Bean("order-paid")
    CheckBack orderPaid() {
      return key -> Verdict.COMMITTED;
    }
  }

  @Test
  @OnOneBoot
  void producersAreAskedOverHttp() throws Exception {
    HttpServer producer =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    producer.createContext(
        "/check-back",
        exchange -> {
          byte[] answer = "{\"verdicts\":[\"COMMITTED\"]}".getBytes(UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    producer.start();
    String host = "127.0.0.1:" + producer.getAddress().getPort();
    try (ConfigurableApplicationContext context =
        asking().with("angarium.half.check.allowed-hosts=" + host).start()) {
      context
          .getBean(HalfMessages.class)
          .prepare(message("1").checkBack(URI.create("http://" + host + "/check-back")));

      awaitSent(context, "1");
    } finally {
      producer.stop(0);
    }
  }

  @Test
  @OnOneBoot
  void aServerTakesThePlaceOfTheDatabase() {
    try (ConfigurableApplicationContext context =
        enabled()
            .with("angarium.half.http.server=http://127.0.0.1:1")
            .with("angarium.half.http.api-key=k3y")
            .start()) {
      assertThat(context.getBean(HalfMessages.class)).isInstanceOf(HttpHalfMessages.class);
      assertThat(context.getBeansOfType(HalfMessageDesk.class)).isEmpty();
    }
  }

  @Test
  @OnOneBoot
  void aServerIsShownTheTokenOfABean() throws Exception {
    BlockingQueue<String> shown = new LinkedBlockingQueue<>();
    HttpServer centre =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    centre.createContext(
        "/",
        exchange -> {
          shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("authorization")));
          exchange.sendResponseHeaders(500, -1);
          exchange.close();
        });
    centre.start();
    Shop shop =
        enabled()
            .with(Token.class)
            .with("angarium.half.http.server=http://127.0.0.1:" + centre.getAddress().getPort());
    try (ConfigurableApplicationContext context = shop.start()) {
      HalfMessages half = context.getBean(HalfMessages.class);

      assertThatThrownBy(() -> half.commit(key("1"))).isInstanceOf(StoreException.class);

      assertThat(shown.poll(1, TimeUnit.MINUTES)).isEqualTo("Bearer t0ken");
    } finally {
      centre.stop(0);
    }
  }

  /** What an application has that shows tokens. */
  @Configuration(proxyBeanMethods = false)
  static class Token {
    @Bean
    TokenSource token() {
      return () -> "t0ken";
    }
  }

  @Test
  @OnOneBoot
  void aBeanAndAKeyTogetherStopTheStart() {
    Shop both =
        enabled()
            .with(Token.class)
            .with("angarium.half.http.server=http://127.0.0.1:1")
            .with("angarium.half.http.api-key=k3y")
            .with("angarium.half.check.max-pause=0s");

    assertThatThrownBy(both::start)
        .rootCause()
        .hasMessageContaining("angarium.half.http.api-key: given (expected: none besides a bean of TokenSource")
        .hasMessageContaining("angarium.half.check.max-pause: 0s");
  }

  @Test
  void withoutTheSwitchThereIsNothing() {
    try (ConfigurableApplicationContext context =
        shop().with("angarium.half.enabled=false").start()) {
      assertThat(context.getBeansOfType(HalfMessages.class)).isEmpty();
    }
  }

  @Test
  @OnOneBoot
  void wrongPropertiesAreListedTogether() {
    Shop wrong =
        shop()
            .with("angarium.half.enabled=true")
            .with("angarium.half.http.server=ftp://centre")
            .with("angarium.half.check.first=0s")
            .with("angarium.half.check.allowed-hosts=http://producer");

    assertThatThrownBy(wrong::start)
        .rootCause()
        .hasMessageContaining("angarium.half.http.server: 'ftp://centre'")
        .hasMessageContaining("angarium.half.check.first: 0s")
        .hasMessageContaining("angarium.half.check.allowed-hosts: 'http://producer'");
  }
}
