package io.angarium.tests.modulith;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.PayloadException;
import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.Externalized;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Consumers could not tell two classes apart whose derived names are the same. */
@SpringBootTest(
    classes = SameNamesTest.Application.class,
    properties = "spring.datasource.url=jdbc:h2:mem:names")
@AutoConfigureTestOutbox
class SameNamesTest {
  @Autowired ApplicationEventPublisher events;
  @Autowired PublishedMessages published;
  @Autowired PlatformTransactionManager transactions;

  /** In the place of a module. */
  static final class Orders {
    private Orders() {}

    @Externalized("kafka:orders")
    record Cancelled(String id) {}
  }

  /** In the place of another module. */
  static final class Stock {
    private Stock() {}

    @Externalized("kafka:stock")
    record Cancelled(String id) {}
  }

  private void publish(Object event) {
    new TransactionTemplate(transactions)
        .executeWithoutResult(status -> events.publishEvent(event));
  }

  @Test
  void theSecondClassOfADerivedNameIsRefusedWithBothNamed() {
    publish(new Orders.Cancelled("1"));

    assertThatThrownBy(() -> publish(new Stock.Cancelled("2")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("'cancelled' stands for " + Orders.Cancelled.class.getName())
        .hasMessageContaining(Stock.Cancelled.class.getName());
    publish(new Orders.Cancelled("3"));

    published.containsExactly(
        ExpectedMessage.to("kafka:orders").type("cancelled"),
        ExpectedMessage.to("kafka:orders").type("cancelled"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}
}
