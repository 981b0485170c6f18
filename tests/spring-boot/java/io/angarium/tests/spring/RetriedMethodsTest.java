package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.spring.half.TransactionalMessage;
import io.github.resilience4j.retry.annotation.Retry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.CircuitBreaker;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.transaction.annotation.Transactional;

/** Methods with a half message that are to be tried again, by Spring Retry and Resilience4j. */
@OnBootFour
class RetriedMethodsTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.half.enabled=true");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableRetry
  static class Wrong {
    @Bean
    Retried retried() {
      return new Retried();
    }

    @Bean
    AllRetried allRetried() {
      return new AllRetried();
    }
  }

  static class Retried {
    @Retryable
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void alone(String id) {}

    @Transactional
    @Retryable
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void inATransaction(String id) {}

    @Retry(name = "payments")
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void byResilience4j(String id) {}
  }

  @Retryable
  static class AllOfThem {}

  static class AllRetried extends AllOfThem {
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void inherited(String id) {}
  }

  @Test
  void attemptsWithOneKeyStopTheStart() {
    List<String> faults =
        catchThrowableOfType(ConfigurationException.class, shop().with(Wrong.class)::start).faults();

    assertThat(faults)
        .hasSize(4)
        .allSatisfy(fault -> assertThat(fault).contains("@Retryable", "a new key in each attempt"))
        .anySatisfy(fault -> assertThat(fault).contains("at Retried.alone: "))
        .anySatisfy(fault -> assertThat(fault).contains("at Retried.inATransaction: "))
        .anySatisfy(fault -> assertThat(fault).contains("at Retried.byResilience4j: "))
        .anySatisfy(fault -> assertThat(fault).contains("at AllRetried.inherited: "));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableRetry
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

    @Retryable(noRetryFor = OutcomeUnknownException.class, backoff = @Backoff(delay = 0))
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

  @Configuration(proxyBeanMethods = false)
  @EnableRetry
  static class Broken {
    @Bean
    Circuit circuit(Orders orders) {
      return new Circuit(orders);
    }
  }

  static class Circuit {
    private final Orders orders;
    private int calls;

    Circuit(Orders orders) {
      this.orders = orders;
    }

    public int calls() {
      return calls;
    }

    /** In a retry that is stateful, as a circuit breaker is, each attempt is a call of its own. */
    @CircuitBreaker
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public void pay(long id) {
      calls++;
      orders.place(id);
      if (id < 0) {
        throw new IllegalStateException("planned");
      }
    }
  }

  @Test
  void aCircuitBreakerMakesNoSecondAttempt() {
    try (ConfigurableApplicationContext context = shop().with(Broken.class).start()) {
      HalfMessages half = context.getBean(HalfMessages.class);
      Circuit circuit = context.getBean(Circuit.class);

      circuit.pay(7);
      assertThatThrownBy(() -> circuit.pay(-8)).hasRootCauseMessage("planned");

      assertThat(half.state(new HalfKey("order-paid", "7"))).isEqualTo(HalfState.COMMITTED);
      assertThat(half.state(new HalfKey("order-paid", "-8"))).isEqualTo(HalfState.ROLLED_BACK);
      assertThat(circuit.calls()).isEqualTo(2);
      assertThat(database.orders()).containsExactly(7L);
    }
  }
}
