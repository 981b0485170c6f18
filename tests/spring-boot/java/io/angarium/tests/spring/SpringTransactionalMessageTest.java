package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.MarkerTakenException;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;

/** Methods with a half message around their transaction, with every way to write business data. */
@OnBootFour
class SpringTransactionalMessageTest {
  private final Database database = Database.h2().withOrders();

  @Configuration(proxyBeanMethods = false)
  static class Paying {
    @Bean
    Payments payments(Orders orders) {
      return new Payments(orders);
    }
  }

  private Shop without() {
    return Shop.on(database).with(Paying.class);
  }

  private Shop shop() {
    return without().with("angarium.half.enabled=true");
  }

  @Test
  void jdbcTemplateTakesPart() {
    check(shop().withoutJpa().with(Styles.Jdbc.class));
  }

  @Test
  void jpaTakesPart() {
    check(shop().with(Styles.Jpa.class));
  }

  @Test
  void myBatisTakesPart() {
    check(shop().withoutJpa().with(Styles.MyBatis.class));
  }

  private void check(Shop shop) {
    try (ConfigurableApplicationContext context = shop.start()) {
      Payments payments = context.getBean(Payments.class);

      assertThat(payments.pay(1)).isEqualTo("receipt 1");
      assertThatThrownBy(() -> payments.payAndFail(2)).hasMessage("planned");
      database.jdbc().update("INSERT INTO orders VALUES (3, 'new')");
      // JPA writes at the end only, which must not look like a commit of an unknown outcome
      assertThatThrownBy(() -> payments.pay(3)).isInstanceOf(DataIntegrityViolationException.class);
      assertThatThrownBy(() -> payments.pay(1)).isInstanceOf(MarkerTakenException.class);

      awaitSent(context, "1");
      assertThat(database.orders()).containsExactly(1L, 3L);
      assertThat(state(context, "1")).isEqualTo(HalfState.COMMITTED);
      assertThat(state(context, "2")).isEqualTo(HalfState.ROLLED_BACK);
      assertThat(state(context, "3")).isEqualTo(HalfState.ROLLED_BACK);
    }
  }

  private static HalfState state(ConfigurableApplicationContext context, String key) {
    return context.getBean(HalfMessages.class).state(new HalfKey("order-paid", key));
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
  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  void itsBusinessIsAnsweredFromTheMarkersWithoutAProperty() throws Exception {
    try (ConfigurableApplicationContext context =
        shop()
            .withoutJpa()
            .with(Styles.Jdbc.class)
            .with("angarium.half.check.first=1s")
            .with("angarium.half.check.min-pause=100ms")
            .start()) {
      LocalTransactions<Connection> local = context.getBean(LocalTransactions.class);
      HalfMessages half = context.getBean(HalfMessages.class);

      // in this order, or a check-back might come before the marker
      local.run(new Marker("order-paid", "1"), connection -> true);
      half.prepare(SpringHalfMessagesTest.message("1"));

      awaitSent(context, "1");
      assertThat(half.state(new HalfKey("order-paid", "1"))).isEqualTo(HalfState.COMMITTED);
      assertThat(local.check(new Marker("order-paid", "1"))).isEqualTo(Verdict.COMMITTED);
    }
  }

  @Test
  void withoutHalfMessagesTheStartIsStopped() {
    Shop off = without().withoutJpa().with(Styles.Jdbc.class);

    assertThatThrownBy(off::start)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("@TransactionalMessage at Payments.pay: no TransactionalMessages")
        .hasMessageContaining("@TransactionalMessage at Payments.payAndFail: no Transactional")
        .hasMessageContaining("angarium.half.enabled=true");
  }
}
