package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.spring.half.TransactionalMessage;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Positive;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.validation.annotation.Validated;

/** Methods with a half message and the annotations of Spring Security and of validation. */
@OnBootFour
class OtherAdviceTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.half.enabled=true");
  }

  @AfterEach
  void logOut() {
    SecurityContextHolder.clearContext();
  }

  private static void logIn(String role) {
    SecurityContextHolder.getContext()
        .setAuthentication(new TestingAuthenticationToken("ada", "", List.of(() -> role)));
  }

  private static HalfState state(ConfigurableApplicationContext context, String key) {
    return context.getBean(HalfMessages.class).state(new HalfKey("order-paid", key));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableMethodSecurity
  static class Secured {
    @Bean
    Guarded guarded(Orders orders) {
      return new Guarded(orders);
    }

    @Bean
    Checked checked(Orders orders) {
      return new Checked(orders);
    }
  }

  static class Guarded {
    private final Orders orders;

    Guarded(Orders orders) {
      this.orders = orders;
    }

    @PreAuthorize("hasAuthority('clerk')")
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public void pay(long id) {
      orders.place(id);
    }

    @Transactional
    @PreAuthorize("hasAuthority('clerk')")
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public void payInATransaction(long id) {
      orders.place(id);
    }

    @PostAuthorize("hasAuthority('clerk')")
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public String receipt(long id) {
      orders.place(id);
      return "receipt " + id;
    }
  }

  @Test
  void whatIsRefusedForItsResultWasSent() {
    try (ConfigurableApplicationContext context = shop().with(Secured.class).start()) {
      Guarded guarded = context.getBean(Guarded.class);
      logIn("guest");

      assertThatThrownBy(() -> guarded.receipt(1)).isInstanceOf(AccessDeniedException.class);

      assertThat(state(context, "1")).isEqualTo(HalfState.COMMITTED);
      assertThat(database.orders()).containsExactly(1L);
    }
  }

  @Test
  void whatIsNotAuthorizedIsNotPrepared() {
    try (ConfigurableApplicationContext context = shop().with(Secured.class).start()) {
      Guarded guarded = context.getBean(Guarded.class);
      logIn("guest");

      assertThatThrownBy(() -> guarded.pay(1)).isInstanceOf(AccessDeniedException.class);
      assertThatThrownBy(() -> guarded.payInATransaction(2))
          .isInstanceOf(AccessDeniedException.class);

      assertThat(state(context, "1")).isEqualTo(HalfState.UNKNOWN);
      assertThat(state(context, "2")).isEqualTo(HalfState.UNKNOWN);
      logIn("clerk");
      guarded.pay(1);
      guarded.payInATransaction(2);
      assertThat(state(context, "1")).isEqualTo(HalfState.COMMITTED);
      assertThat(state(context, "2")).isEqualTo(HalfState.COMMITTED);
      assertThat(database.orders()).containsExactly(1L, 2L);
    }
  }

  @Validated
  static class Checked {
    private final Orders orders;

    Checked(Orders orders) {
      this.orders = orders;
    }

    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public void pay(@Positive long id) {
      orders.place(id);
    }

    @Transactional
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "mailbox:orders",
        payload = "'paid ' + #id")
    public void payInATransaction(@Positive long id) {
      orders.place(id);
    }
  }

  @Test
  void whatIsNotValidIsNotPreparedWithoutATransactionAtTheMethod() {
    try (ConfigurableApplicationContext context = shop().with(Secured.class).start()) {
      Checked checked = context.getBean(Checked.class);

      assertThatThrownBy(() -> checked.pay(-1)).isInstanceOf(ConstraintViolationException.class);

      assertThat(state(context, "-1")).isEqualTo(HalfState.UNKNOWN);
      checked.pay(1);
      assertThat(state(context, "1")).isEqualTo(HalfState.COMMITTED);
      assertThat(database.orders()).containsExactly(1L);
    }
  }

  /** Spring validates within the transaction of the method. */
  @Test
  void whatIsNotValidInATransactionAtTheMethodIsRolledBack() {
    try (ConfigurableApplicationContext context = shop().with(Secured.class).start()) {
      Checked checked = context.getBean(Checked.class);

      assertThatThrownBy(() -> checked.payInATransaction(-2))
          .isInstanceOf(ConstraintViolationException.class);

      assertThat(state(context, "-2")).isEqualTo(HalfState.ROLLED_BACK);
      checked.payInATransaction(2);
      assertThat(state(context, "2")).isEqualTo(HalfState.COMMITTED);
      assertThat(database.orders()).containsExactly(2L);
    }
  }
}
