package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.NoTransactionException;
import io.angarium.TypeNames;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The listener of docs/modulith.md, which sends plain events of Spring. */
@OnBootFour
class PlainEventsTest {
  private final Database database = Database.h2();

  @Test
  void eventsLeaveWithTheTransactionThatPublishesThem() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context = start()) {
      mailbox = context.getBean(Mailbox.class);
      TransactionTemplate transactions =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
      transactions.executeWithoutResult(status -> context.publishEvent(new OrderPaid("1")));
      transactions.executeWithoutResult(
          status -> {
            context.publishEvent(new OrderPaid("2"));
            status.setRollbackOnly();
          });
      database.awaitSent();
    }

    assertThat(mailbox.keys()).containsExactly("1");
  }

  @Test
  void anEventWithoutATransactionFailsItsPublisher() {
    try (ConfigurableApplicationContext context = start()) {
      assertThatThrownBy(() -> context.publishEvent(new OrderPaid("3")))
          .isInstanceOf(NoTransactionException.class);
      assertThat(database.unsent()).isZero();
    }
  }

  private ConfigurableApplicationContext start() {
    return Shop.on(database).withoutJpa().with(OrderMessages.class).with(Types.class).start();
  }

  @Configuration(proxyBeanMethods = false)
  static class Types {
    @Bean
    TypeNames types() {
      return TypeNames.builder().type("order-paid", OrderPaid.class).build();
    }
  }
}
