package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.spring.half.TransactionalMessage;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** Methods with a half message that are to be tried again, by Spring Framework itself. */
class ResilientMethodsTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.half.enabled=true");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableResilientMethods
  static class Wrong {
    @Bean
    Retried retried() {
      return new Retried();
    }
  }

  static class Retried {
    @Retryable
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void pay(String id) {}
  }

  @Test
  void attemptsWithOneKeyStopTheStart() {
    Shop wrong = shop().with(Wrong.class);

    assertThat(catchThrowableOfType(ConfigurationException.class, wrong::start).faults())
        .singleElement()
        .asString()
        .startsWith("@TransactionalMessage at Retried.pay: @Retryable")
        .contains("a new key in each attempt");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableResilientMethods
  static class Right {
    @Bean
    Attempts attempts(Orders orders) {
      return new Attempts(orders);
    }

    @Bean
    Retrying retrying(Attempts attempts) {
      return new Retrying(attempts);
    }
  }

  static class Retrying {
    private final Attempts attempts;
    private int made;

    Retrying(Attempts attempts) {
      this.attempts = attempts;
    }

    @Retryable(excludes = OutcomeUnknownException.class, delay = 0)
    public void pay(long id) {
      attempts.pay(id, ++made);
    }
  }

  @Test
  void aMethodOfAnotherBeanTriesAgainWithANewKey() {
    try (ConfigurableApplicationContext context = shop().with(Right.class).start()) {
      HalfMessages half = context.getBean(HalfMessages.class);

      context.getBean(Retrying.class).pay(7);

      assertThat(half.state(new HalfKey("order-paid", "7-1"))).isEqualTo(HalfState.ROLLED_BACK);
      assertThat(half.state(new HalfKey("order-paid", "7-2"))).isEqualTo(HalfState.COMMITTED);
      assertThat(database.orders()).containsExactly(7L);
    }
  }
}
