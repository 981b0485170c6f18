package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.confirmation.Confirmations;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.SpringInbox;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The path at which an application is told what was processed, on a real web server. */
class ReceiptsRouteTest {
  private static final String PATH = "/angarium/receipts";
  private static final String ENDPOINT = "angarium.confirmation.receipts-endpoint.";
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static Shop shop() {
    return Shop.on(Database.h2())
        .withoutJpa()
        .onTheWeb()
        .with("angarium.confirmation.destinations=mailbox:orders");
  }

  private static Shop told() {
    return shop().with(ENDPOINT + "enabled=true");
  }

  /** An application without an outbox of its own. */
  private static Shop stock(String host, String secret) {
    return Shop.on(Database.h2())
        .withoutJpa()
        .with("angarium.enabled=false")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.http.hooks.shop.url=http://" + host + PATH)
        .with("angarium.http.hooks.shop.secrets=" + secret)
        .with("angarium.confirmation.report-to=http:shop");
  }

  private static MessageId sent(ConfigurableApplicationContext shop) {
    Message order = Message.of("mailbox:orders", "order".getBytes(UTF_8));
    MessageId id =
        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class))
            .execute(status -> shop.getBean(Outbox.class).send(order));
    assertThat(shop.getBean(Mailbox.class).next().id()).isEqualTo(id);
    assertThat(id).isNotNull();
    awaitUnconfirmed(shop, 1);
    return id;
  }

  private static void awaitUnconfirmed(ConfigurableApplicationContext shop, int count) {
    ConfirmationTest.awaitUnconfirmed(shop.getBean(Confirmations.class), count);
  }

  @Test
  void messageIsConfirmedByAConsumerThatReportsOverHttp() {
    try (ConfigurableApplicationContext shop = told().with(ENDPOINT + "secrets=" + SECRET).start();
        ConfigurableApplicationContext stock = stock(Web.host(shop), SECRET).start()) {
      MessageId id = sent(shop);

      Inbox<Connection> inbox = stock.getBean(SpringInbox.class);
      inbox.process(InboxKey.of("stock", id), connection -> {});

      awaitUnconfirmed(shop, 0);
    }
  }

  @Test
  @OnOneBoot
  void receiptsThatAreNotSignedConfirmNothing() throws Exception {
    try (ConfigurableApplicationContext shop =
        told().with(ENDPOINT + "secrets=" + SECRET).start()) {
      String receipt = sent(shop).toString();

      assertThat(Web.post(shop, PATH, receipt).statusCode()).isEqualTo(401);
      assertThat(shop.getBean(Confirmations.class).unconfirmed()).isEqualTo(1);
    }
  }

  @Test
  @OnOneBoot
  void whereNobodyElseGetsThereReceiptsNeedNoSignature() throws Exception {
    try (ConfigurableApplicationContext shop =
        told().with(ENDPOINT + "unsigned=true").with(ENDPOINT + "path=/processed").start()) {
      String receipts = "no id\n" + sent(shop) + "\n";

      assertThat(Web.post(shop, PATH, receipts).statusCode()).isEqualTo(404);
      assertThat(Web.post(shop, "/processed", "x".repeat(1_100_000)).statusCode()).isEqualTo(413);
      assertThat(Web.post(shop, "/processed", receipts).statusCode()).isEqualTo(204);
      awaitUnconfirmed(shop, 0);
    }
  }

  @Test
  @OnOneBoot
  void withoutTheSwitchNobodyIsListenedTo() throws Exception {
    try (ConfigurableApplicationContext shop = shop().start()) {
      assertThat(Web.post(shop, PATH, sent(shop).toString()).statusCode()).isEqualTo(404);
    }
  }

  @Test
  @OnOneBoot
  void switchedOffByAnyWordNobodyIsListenedTo() throws Exception {
    try (ConfigurableApplicationContext shop = shop().with(ENDPOINT + "enabled=off").start()) {
      assertThat(Web.post(shop, PATH, sent(shop).toString()).statusCode()).isEqualTo(404);
    }
  }

  @Test
  @OnOneBoot
  void strangersAreBelievedOnlyWhereThatIsSaid() {
    assertThatThrownBy(told()::start)
        .rootCause()
        .hasMessageContaining(ENDPOINT + "secrets: none")
        .hasMessageContaining("strangers could confirm messages")
        .hasMessageContaining(ENDPOINT + "unsigned=true");
  }

  @Test
  @OnOneBoot
  void wrongPropertiesAreListedTogether() {
    assertThatThrownBy(
            told()
                    .with(ENDPOINT + "path=receipts")
                    .with(ENDPOINT + "secrets=hush")
                    .with(ENDPOINT + "unsigned=true")
                ::start)
        .rootCause()
        .hasMessageContaining(ENDPOINT + "path: 'receipts'")
        .hasMessageContaining(ENDPOINT + "secrets[0]: a secret")
        .hasMessageContaining(ENDPOINT + "unsigned: true (expected: false, as there are secrets)")
        .hasMessageNotContaining("hush");
  }

  @Test
  @OnOneBoot
  void anApplicationWithoutAnOutboxHasNothingToConfirm() {
    assertThatThrownBy(
            stock("127.0.0.1:1", SECRET)
                    .onTheWeb()
                    .with(ENDPOINT + "enabled=true")
                    .with(ENDPOINT + "unsigned=true")
                ::start)
        .rootCause()
        .hasMessageContaining(
            ENDPOINT
                + "enabled: true (expected: false, as there is no outbox whose messages they"
                + " confirm)");
  }

  @Test
  void whatIsMissingForTheEndpointStopsTheStart() {
    assertThat(WrongConfigurationTest.faults(believing().onTheWeb().without("io.angarium.http.")))
        .containsExactly(
            ENDPOINT + "enabled: true (expected: false, or angarium-http on the class path)");
    assertThat(
            WrongConfigurationTest.faults(
                believing().onTheWeb().without("org.springframework.web.servlet.")))
        .containsExactly(
            ENDPOINT + "enabled: true (expected: false, or Spring MVC on the class path)");
    assertThat(WrongConfigurationTest.faults(believing()))
        .singleElement()
        .asString()
        .startsWith(ENDPOINT + "enabled: true (expected: false, or a web application of servlets")
        .contains("spring.main.web-application-type", "a ReceiptsEndpoint");
    assertThat(
            WrongConfigurationTest.faults(
                believing()
                    .without("io.angarium.http.")
                    .without("org.springframework.web.servlet.")))
        .hasSize(3);
  }

  /** Without a web server. */
  private static Shop believing() {
    return Shop.on(Database.h2())
        .withoutJpa()
        .with(ENDPOINT + "enabled=true")
        .with(ENDPOINT + "unsigned=true");
  }

  @Test
  @OnOneBoot
  void receiptsAndCheckBacksCannotShareAPath() throws Exception {
    String asked = "angarium.half.check-back-endpoint.";
    Shop shared =
        believing()
            .onTheWeb()
            .with("angarium.half.enabled=true")
            .with(asked + "path=" + PATH)
            .with(asked + "unsigned=true");

    try (ConfigurableApplicationContext shop = shared.start()) {
      assertThat(Web.post(shop, PATH, "no id").statusCode()).isEqualTo(204);
    }
    assertThat(WrongConfigurationTest.faults(shared.with(asked + "enabled=true")))
        .containsExactly(
            ENDPOINT
                + "path: '/angarium/receipts' (expected: another than angarium.half."
                + "check-back-endpoint.path, as both are switched on)");
  }
}
