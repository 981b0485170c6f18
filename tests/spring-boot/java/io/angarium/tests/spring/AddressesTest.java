package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.store.OutboxStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Addresses are asked of the transports of the application when a message is sent. */
@ExtendWith(OutputCaptureExtension.class)
@OnBootFour
class AddressesTest {
  private ConfigurableApplicationContext context;

  @BeforeEach
  void start() {
    context = application().start();
  }

  private static Shop application() {
    return Shop.on(Database.h2())
            .withoutJpa()
            .with("angarium.relay.default-transport=rabbitmq")
            .with("angarium.rabbitmq.enabled=true")
            .with("angarium.rabbitmq.addresses=127.0.0.1:1") // nobody needs to be there
            .with("angarium.http.allowed-hosts=shop.example");
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private void send(String destination) {
    Outbox outbox = context.getBean(Outbox.class);
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> outbox.send(Message.of(destination, new byte[1])));
  }

  private void assertRefused(String destination, String reason) {
    assertThatThrownBy(() -> send(destination))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(reason);
    assertThat(context.getBean(OutboxStore.class).backlog().depth()).isZero();
  }

  @Test
  void anAddressThatTheDefaultTransportCannotHaveIsRefusedWhenItIsSent() {
    assertRefused(
        "orders", "destination: 'orders' is no address of RabbitMQ (expected: exchange/routing.key");
  }

  @Test
  void anAddressThatIsNoUriIsRefusedWhenItIsSent() {
    assertRefused("http:https://shop.example/a b", "no address of a web hook (expected after http");
  }

  @Test
  void aWellFormedAddressAndThatOfATransportElsewhereAreTaken() {
    send("orders/paid");
    send("elsewhere:whatever it takes");

    assertThat(context.getBean(OutboxStore.class).backlog().depth()).isEqualTo(2);
  }

  @Test
  void theFirstMessageForATransportElsewhereIsToldAndTaken(CapturedOutput output) {
    send("elsewhere:one");
    send("elsewhere:two");
    send("rabitmq:orders/paid");

    assertThat(context.getBean(OutboxStore.class).backlog().depth()).isEqualTo(3);
    assertThat(output.getAll().lines().filter(line -> line.contains("has no transport")))
        .hasSize(2)
        .anyMatch(line -> line.contains("'elsewhere:one'"))
        .anyMatch(line -> line.contains("'rabitmq', did you mean rabbitmq?"));
  }

  @Test
  void anApplicationMayRefuseThemOrSayNothing(CapturedOutput output) {
    restart("angarium.unknown-transport=refuse");
    assertRefused("rabitmq:orders/paid", "this process has no transport 'rabitmq'");

    restart("angarium.unknown-transport=off");
    send("rabitmq:orders/paid");
    assertThat(output).doesNotContain("has no transport");
  }

  @Test
  void anApplicationWithoutARelayTakesThemInSilence(CapturedOutput output) {
    restart("angarium.relay.enabled=false");

    send("elsewhere:one");

    assertThat(output).doesNotContain("has no transport");
  }

  private void restart(String property) {
    context.close();
    context = application().with(property).start();
  }
}
