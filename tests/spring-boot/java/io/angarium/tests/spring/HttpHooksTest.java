package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.http.HttpTransport;
import io.angarium.http.signature.HttpSignature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@OnBootFour
class HttpHooksTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final List<String> arrived = new CopyOnWriteArrayList<>();
  private final Database database = Database.h2();
  private HttpServer receiver;

  @BeforeEach
  void startReceiver() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::receive);
    receiver.start();
  }

  @AfterEach
  void stopReceiver() {
    receiver.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    var headers = exchange.getRequestHeaders();
    boolean genuine =
        HttpSignature.of(List.of(SECRET))
            .verify(
                headers.getFirst(HttpSignature.ID),
                headers.getFirst(HttpSignature.TIMESTAMP),
                headers.getFirst(HttpSignature.SIGNATURE),
                body,
                Instant.now());
    arrived.add(
        "%s %s from %s, %s, genuine: %s"
            .formatted(
                exchange.getRequestURI(),
                headers.getFirst("ce-partitionkey"),
                headers.getFirst("ce-source"),
                headers.getFirst("X-Tenant"),
                genuine));
    exchange.sendResponseHeaders(204, -1);
    exchange.close();
  }

  private String url() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort();
  }

  @Test
  void committedMessagesReachTheHookAndRolledBackOnesDoNot() {
    try (ConfigurableApplicationContext context =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.http.source=urn:shop")
            .with("angarium.http.hooks.new-orders.url=" + url() + "/hook")
            .with("angarium.http.hooks.new-orders.secrets=" + SECRET)
            .with("angarium.http.hooks.new-orders.headers.X-Tenant=eu")
            .with("angarium.http.hooks.new-orders.timeout=20s")
            .start()) {
      Outbox outbox = context.getBean(Outbox.class);
      TransactionTemplate transactions =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
      transactions.executeWithoutResult(
          status -> outbox.send(Message.of("http:new-orders", new byte[] {1}).key("one")));
      transactions.executeWithoutResult(
          status -> {
            outbox.send(Message.of("http:new-orders", new byte[] {1}).key("two"));
            status.setRollbackOnly();
          });
      transactions.executeWithoutResult(
          status ->
              outbox.send(Message.of("http:" + url() + "/whole", new byte[] {1}).key("three")));
    }

    assertThat(database.unsent()).isZero();
    assertThat(arrived)
        .containsExactlyInAnyOrder(
            "/hook one from urn:shop, eu, genuine: true",
            "/whole three from urn:shop, null, genuine: false");
  }

  @Test
  void allowedHostsAloneAreEnough() {
    try (ConfigurableApplicationContext context =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.http.allowed-hosts=shop.example,127.0.0.1:8080")
            .start()) {
      assertThat(context.getBeansOfType(HttpTransport.class)).hasSize(1);
    }
  }

  @Test
  void withoutAHookOrHostThereIsNoSuchTransport() {
    try (ConfigurableApplicationContext context =
        Shop.on(database).withoutJpa().with("angarium.http.timeout=20s").start()) {
      assertThat(context.getBeansOfType(HttpTransport.class)).isEmpty();
    }
  }

  @Test
  void switchedOffThereIsNoSuchTransport() {
    try (ConfigurableApplicationContext context =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.http.enabled=false")
            .with("angarium.http.hooks.orders.url=nowhere")
            .start()) {
      assertThat(context.getBeansOfType(HttpTransport.class)).isEmpty();
    }
  }
}
