package io.angarium.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.inbox.InboxKey;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.InMemoryInbox;
import io.angarium.testkit.memory.Tx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The samples of docs/testing.md: those for plain Java stand here. */
class TestingPageTest {
  private final List<String> orders = List.of("4711", "4712", "4713");
  private final Stock stock = new Stock();

  @Test
  void listenerStandsDuplicatesAndFailures() {
    FailurePoint mailServer =
        new FailurePoint(); // the stub of the mail server calls mailServer.pass()
    Listener listener = new Listener(stock, mailServer);

    Redelivery.of(orders)
        .times(3)
        .threads(4)
        .failingAt(mailServer)
        .to(listener::receive)
        .assertOnce(order -> stock.deductions(order));
  }

  @Test
  void paidOrderIsTold() {
    InMemoryDatabase database = InMemoryDatabase.create();
    Shop shop = new Shop(database);

    database
        .published()
        .during(() -> shop.pay("4711"))
        .containsExactly(
            ExpectedMessage.to("kafka:orders")
                .key("4711")
                .type("order-paid")
                .payload("{\"id\":4711}"));
  }

  private record Shop(InMemoryDatabase database) {
    void pay(String order) {
      try (Tx tx = database.begin()) {
        byte[] json = ("{\"id\":" + order + "}").getBytes(UTF_8);
        tx.outbox().send(Message.of("kafka:orders", json).key(order).type("order-paid"));
        tx.commit();
      }
    }
  }

  /**
   * The page shows what is compiled here, or for Spring in tests/spring-boot. {@code
   * ServiceConnectionTest} there compiles the sample with Testcontainers.
   */
  @Test
  void samplesOfThePageAreCompiled() throws IOException {
    Path spring = Path.of("../tests/spring-boot/java/io/angarium/tests/spring/checkout");
    String page = Files.readString(Path.of("../docs/testing.md"));
    String withoutContainers = page.substring(0, page.indexOf("## With Testcontainers"));
    String compiled =
        Files.readString(Path.of("src/test/java/io/angarium/testkit/TestingPageTest.java"))
            + Files.readString(spring.resolve("CheckoutTest.java"))
            + Files.readString(spring.resolve("StockListenerTest.java"));

    List<String> samples =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(withoutContainers)
            .results()
            .map(found -> onOneLine(found.group(1).replaceAll("(?m)^import .*\n+", "")))
            .toList();

    assertThat(samples).hasSize(4).allSatisfy(s -> assertThat(onOneLine(compiled)).contains(s));
  }

  private static String onOneLine(String code) {
    return code.replaceAll("\\s+", "");
  }

  /** A stock that is written in transactions of an inbox. */
  private static final class Stock {
    private final InMemoryInbox inbox = new InMemoryInbox();

    long deductions(String order) {
      return Collections.frequency(inbox.written(), order);
    }
  }

  private record Listener(Stock stock, FailurePoint mailServer) {
    void receive(String order) {
      stock.inbox.process(
          InboxKey.of("stock", order),
          writes -> {
            writes.add(order);
            mailServer.pass();
          });
    }
  }
}
