package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;

/** Commits and rolls back with every way to write business data, on one kind of database. */
abstract class StylesContract {
  abstract Database newDatabase();

  @Test
  void jdbcTemplateCommitsAndRollsBackWithItsMessages() {
    Database database = newDatabase().withOrders();

    check(database, Shop.on(database).withoutJpa().with(Styles.Jdbc.class));
  }

  @Test
  void jpaCommitsAndRollsBackWithItsMessages() {
    Database database = newDatabase().withOrders();

    check(database, Shop.on(database).with(Styles.Jpa.class));
  }

  @Test
  void jdbcTemplateWithinATransactionOfJpaCommitsAndRollsBackWithItsMessages() {
    Database database = newDatabase().withOrders();

    check(database, Shop.on(database).with(Styles.Jdbc.class));
  }

  @Test
  void myBatisCommitsAndRollsBackWithItsMessages() {
    Database database = newDatabase().withOrders();

    check(database, Shop.on(database).withoutJpa().with(Styles.MyBatis.class));
  }

  @Test
  void myBatisInBatchesCommitsAndRollsBackWithItsMessages() {
    Database database = newDatabase().withOrders();

    check(
        database,
        Shop.on(database)
            .withoutJpa()
            .with(Styles.MyBatis.class)
            .with("mybatis.executor-type=batch"));
  }

  private static void check(Database database, Shop shop) {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context = shop.start()) {
      Orders orders = context.getBean(Orders.class);
      mailbox = context.getBean(Mailbox.class);

      orders.place(1);
      assertThatIllegalStateException().isThrownBy(() -> orders.placeAndFail(2));
      assertThatThrownBy(() -> orders.place(1)).isInstanceOf(DataIntegrityViolationException.class);
      orders.place(3);

      mailbox.next();
      mailbox.next();
    }
    assertThat(database.orders()).containsExactly(1L, 3L);
    assertThat(mailbox.keys()).containsExactlyInAnyOrder("order 1", "order 3");
    assertThat(database.unsent()).isZero();
  }
}
