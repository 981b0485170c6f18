package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Outbox;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.InboxRotation;
import io.angarium.spring.SpringInbox;
import io.angarium.transport.Transport;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;

/** The inbox with every way to write business data; without a broker. */
class InboxStylesTest {
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
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create");
  }

  @SuppressWarnings("unchecked") // beans are asked for by their raw type
  private void check(Shop shop) {
    try (ConfigurableApplicationContext context = shop.start()) {
      Inbox<Connection> inbox = context.getBean(Inbox.class);
      Orders orders = context.getBean(Orders.class);

      assertThat(inbox.process(key("1"), c -> orders.place(1))).isTrue();
      assertThat(inbox.process(key("1"), c -> orders.place(2))).isFalse();
      assertThatThrownBy(() -> inbox.process(key("3"), c -> orders.placeAndFail(3)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("planned");
      // JPA writes at the end only
      assertThatThrownBy(() -> inbox.process(key("4"), c -> orders.place(1)))
          .isInstanceOf(DataIntegrityViolationException.class);
      assertThat(inbox.processAll(List.of(key("3"), key("1")), (c, fresh) -> orders.place(3)))
          .containsExactly(key("3"));
      assertThat(inbox.process(key("4"), c -> orders.place(4))).isTrue();

      assertThat(database.orders()).containsExactly(1L, 3L, 4L);
      assertThat(context.getBeanNamesForType(InboxRotation.class)).hasSize(1);
    }
  }

  private static InboxKey key(String text) {
    return InboxKey.of("stock", text);
  }

  @Test
  void applicationThatSendsNothingNeedsNoOutbox() {
    try (ConfigurableApplicationContext context =
        shop()
            .withoutJpa()
            .with("angarium.enabled=false")
            .with("angarium.inbox.rotation=false")
            .start()) {
      assertThat(context.getBean(SpringInbox.class).process(key("1"), c -> {})).isTrue();
      assertThat(context.getBeanNamesForType(Outbox.class)).isEmpty();
      assertThat(context.getBeanNamesForType(InboxRotation.class)).isEmpty();
    }
  }

  /** It has no transport that would need the address. */
  @Test
  void applicationThatOnlyConsumesIsAskedForNoBroker() {
    try (ConfigurableApplicationContext context = consumerWithEveryBroker().start()) {
      assertThat(context.getBean(SpringInbox.class).process(key("1"), c -> {})).isTrue();
      assertThat(context.getBeansOfType(Transport.class).values())
          .as("but the one of this test")
          .hasSize(1);
    }
  }

  @Test
  void applicationThatSendsReceiptsIsAskedForItsBrokers() {
    Shop shop = consumerWithEveryBroker().with("angarium.confirmation.report-to=kafka:receipts");

    assertThatThrownBy(shop::start)
        .rootCause()
        .hasMessageContainingAll(
            "angarium.kafka.bootstrap-servers: ",
            "angarium.rabbitmq.addresses: ",
            "angarium.rocketmq.name-servers: ");
  }

  private Shop consumerWithEveryBroker() {
    return shop()
        .withoutJpa()
        .with("angarium.enabled=false")
        .with("angarium.kafka.enabled=true")
        .with("angarium.rabbitmq.enabled=true")
        .with("angarium.rocketmq.enabled=true");
  }

  @Test
  void withoutThePropertyThereIsNone() {
    try (ConfigurableApplicationContext context = Shop.on(database).withoutJpa().start()) {
      assertThat(context.getBeanNamesForType(Inbox.class)).isEmpty();
    }
  }

  @Test
  void retentionThatIsTooShortStopsTheStart() {
    Shop shop = shop().withoutJpa().with("angarium.inbox.retention=2d");

    assertThatThrownBy(shop::start)
        .rootCause()
        .hasMessageContainingAll("angarium.inbox.retention", "inbox.replay-window");
  }
}
