package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;

/** Local transactions of half messages with every way to write business data; without a broker. */
@OnBootFour
class LocalTransactionStylesTest {
  private final Database database = Database.h2().withOrders();

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

  private Shop shop() {
    return Shop.on(database)
        .with("angarium.rocketmq.name-servers=127.0.0.1:1")
        .with("angarium.rocketmq.transactions.enabled=true");
  }

  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  private void check(Shop shop) {
    try (ConfigurableApplicationContext context = shop.start()) {
      LocalTransactions<Connection> local = context.getBean(LocalTransactions.class);
      Orders orders = context.getBean(Orders.class);

      local.run(marker("1"), connection -> place(orders, 1));
      assertThatThrownBy(
              () ->
                  local.run(
                      marker("2"),
                      connection -> {
                        orders.placeAndFail(2);
                        return true;
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("planned");
      // JPA writes at the end only, which must not look like a commit of an unknown outcome
      assertThatThrownBy(() -> local.run(marker("3"), connection -> place(orders, 1)))
          .isInstanceOf(DataIntegrityViolationException.class);

      assertThat(database.orders()).containsExactly(1L);
      assertThat(local.check(marker("1"))).isEqualTo(Verdict.COMMITTED);
      assertThat(local.check(marker("2"))).isEqualTo(Verdict.ROLLED_BACK);
      assertThat(local.check(marker("3"))).isEqualTo(Verdict.ROLLED_BACK);
    }
  }

  private static boolean place(Orders orders, long id) {
    orders.place(id);
    return true;
  }

  private static Marker marker(String key) {
    return new Marker("order", key);
  }
}
