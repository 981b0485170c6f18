package io.angarium.spring.half;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.TimeSource;
import io.angarium.TypeNames;
import io.angarium.TypedPayloads;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.SpringLocalTransactions;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods in transactions of a database, with half messages elsewhere. */
class MessageMethodTest {
  private final DataSource dataSource =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
  private final InMemoryHalfMessages centre = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  MessageMethodTest() {
    jdbc.execute("CREATE TABLE business (name VARCHAR(200))");
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    TransactionalMessages<?> messages =
        new TransactionalMessages<>(
            centre,
            new SpringLocalTransactions(dataSource, manager, database.markers()),
            URI.create("http://shop:8080/check-back"));
    context.registerBean(
        TransactionalMethods.class, () -> new TransactionalMethods(context.getBeanFactory()));
    context.registerBean(TransactionalMessages.class, () -> messages);
    context.registerBean(PlatformTransactionManager.class, () -> manager);
    context.registerBean(JdbcTemplate.class, () -> jdbc);
    context.registerBean(InMemoryHalfMessages.class, () -> centre);
    context.register(Transactions.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Transactions {}

  private <T> T start(Class<T> bean) {
    context.registerBean(bean);
    context.refresh();
    return context.getBean(bean);
  }

  private List<String> rows() {
    return jdbc.queryForList("SELECT name FROM business", String.class);
  }

  private HalfState state(String key) {
    return centre.state(new HalfKey("order-paid", key));
  }

  record Order(long id, String customer) {}

  enum Size {
    SMALL
  }

  static class Shop {
    private final JdbcTemplate jdbc;
    private final InMemoryHalfMessages centre;

    Shop(JdbcTemplate jdbc, InMemoryHalfMessages centre) {
      this.jdbc = jdbc;
      this.centre = centre;
    }

    private String book(String name) {
      assertThat(centre.state(new HalfKey("order-paid", name))).isEqualTo(HalfState.PREPARED);
      jdbc.update("INSERT INTO business VALUES (?)", name);
      return "receipt " + name;
    }

    @TransactionalMessage(
        business = "order-paid",
        key = "#order.id",
        destination = "kafka:orders",
        payload = "'paid ' + #order.id()",
        messageKey = "#order.customer")
    public String pay(Order order) {
      return book("" + order.id());
    }

    @Transactional
    @TransactionalMessage(
        business = "order-paid",
        key = "#p0",
        destination = "kafka:orders",
        payload = "#payload")
    public void payInBytes(String id, byte[] payload) {
      book(id);
    }

    @Transactional
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "kafka:orders",
        payload = "#id")
    public void fail(String id, Exception reason) throws Exception {
      book(id);
      throw reason;
    }

    @Transactional
    @TransactionalMessage(
        business = "order-paid",
        key = "#id",
        destination = "kafka:orders",
        payload = "#id")
    public void mark(String id) {
      book(id);
      TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
    }

    @TransactionalMessage(
        business = "order-paid",
        key = "#key",
        destination = "kafka:orders",
        payload = "#payload")
    public @Nullable Object any(@Nullable Object key, @Nullable Object payload) {
      return null;
    }

    @TransactionalMessage(
        business = "order-paid",
        key = "#key.get()",
        destination = "kafka:orders",
        payload = "#payload.number")
    public void computed(@Nullable Supplier<Object> key, Object payload) {
      book("computed");
    }

    public String payByItself(Order order) {
      return pay(order);
    }
  }

  @Test
  void theMessageIsPreparedBeforeAndCommittedAfterTheTransaction() {
    Shop shop = start(Shop.class);

    String receipt = shop.pay(new Order(4711, "Ada"));

    assertThat(receipt).isEqualTo("receipt 4711");
    assertThat(rows()).containsExactly("4711");
    Message sent = centre.sent().get(0);
    assertThat(new String(sent.payload(), UTF_8)).isEqualTo("paid 4711");
    assertThat(sent.destination()).hasToString("kafka:orders");
    assertThat(sent.key()).isEqualTo("Ada");
    assertThat(state("4711")).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void aMethodInATransactionOfItsOwnJoinsTheOneWithTheMarker() throws Exception {
    Shop shop = start(Shop.class);

    shop.payInBytes("1", new byte[] {1, 2});

    assertThat(centre.sent().get(0).payload()).containsExactly(1, 2);
    assertThat(rows()).containsExactly("1");
    assertThat(context.getBean(TransactionalMessages.class).checkBack().check(key("1")))
        .isEqualTo(Verdict.COMMITTED);
  }

  private static HalfKey key(String key) {
    return new HalfKey("order-paid", key);
  }

  @Test
  void whateverTheMethodThrowsRollsBack() {
    Shop shop = start(Shop.class);

    assertThatThrownBy(() -> shop.fail("1", new IllegalStateException("planned")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("planned");
    assertThatThrownBy(() -> shop.fail("2", new IOException("planned")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> shop.mark("3")).isInstanceOf(UnexpectedRollbackException.class);

    assertThat(rows()).isEmpty();
    assertThat(centre.sent()).isEmpty();
    assertThat(List.of(state("1"), state("2"), state("3"))).containsOnly(HalfState.ROLLED_BACK);
  }

  @Test
  void aKeyThatWasUsedDoesNotCallTheMethod() {
    Shop shop = start(Shop.class);
    shop.pay(new Order(1, "Ada"));

    assertThatThrownBy(() -> shop.pay(new Order(1, "Ada")))
        .isInstanceOf(MarkerTakenException.class);

    assertThat(rows()).containsExactly("1");
    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void inAnOpenTransactionNothingIsPrepared() {
    Shop shop = start(Shop.class);
    TransactionTemplate open = new TransactionTemplate(manager);

    assertThatThrownBy(() -> open.executeWithoutResult(status -> shop.pay(new Order(4711, "Ada"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@TransactionalMessage at Shop.pay was not called")
        .hasMessageContaining("outside of @Transactional");

    assertThat(state("4711")).isEqualTo(HalfState.UNKNOWN);
    assertThat(rows()).isEmpty();
  }

  @Test
  void valuesOfTheWrongTypeDoNotCallTheMethod() {
    Shop shop = start(Shop.class);

    assertThatThrownBy(() -> shop.any(null, "x"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.any: key '#key' is null")
        .hasMessageContaining("the method was not called");
    assertThatThrownBy(() -> shop.any(new Order(1, "Ada"), "x"))
        .hasMessageContaining("key '#key' is a Order (expected: text, a number, a UUID or an enum");
    assertThatThrownBy(() -> shop.any("1", null))
        .hasMessageContaining("payload '#payload' is null");
    assertThatThrownBy(() -> shop.any("1", new Order(1, "Ada")))
        .hasMessageContaining("TypedPayloads");
    assertThatThrownBy(() -> shop.any(" ", "x"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.any: key '#key' is no key (expected: 1..255 characters")
        .hasMessageContaining("half message key: ' '");

    assertThat(state("1")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void expressionsThatFailDoNotCallTheMethod() {
    Shop shop = start(Shop.class);

    assertThatThrownBy(() -> shop.computed(null, "x"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.computed: key '#key.get()' cannot be evaluated")
        .hasMessageContaining("the method was not called");
    assertThatThrownBy(() -> shop.computed(() -> 5, "x"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.computed: payload '#payload.number' cannot be evaluated")
        .hasMessageContaining("'number' cannot be found");

    assertThat(state("5")).isEqualTo(HalfState.UNKNOWN);
    assertThat(rows()).isEmpty();
  }

  @Test
  void anObjectOfATypeWithoutANameIsToldWithItsExpression() {
    TypeNames types = TypeNames.builder().type("order-paid", Order.class).build();
    context.registerBean(TypedPayloads.class, () -> new TypedPayloads(CUSTOMERS, types));
    Shop shop = start(Shop.class);

    assertThatThrownBy(() -> shop.any("1", Size.SMALL))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.any: payload '#payload' cannot be written (expected: bytes")
        .hasMessageContaining(Size.class.getName());

    assertThat(state("1")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void keysMayBeNumbersUuidsAndEnums() {
    Shop shop = start(Shop.class);
    UUID id = new UUID(1, 2);

    shop.any(7, "x");
    shop.any(id, "x");
    shop.any(Size.SMALL, "x");

    assertThat(List.of(state("7"), state(id.toString()), state("SMALL")))
        .containsOnly(HalfState.COMMITTED);
  }

  /** Writes an order as its customer. */
  private static final PayloadCodec CUSTOMERS =
      (destination, payload) ->
          Message.of(
              destination, payload instanceof Order order ? order.customer() : payload.toString());

  @Test
  void anObjectIsWrittenByItsRegisteredType() {
    TypeNames types = TypeNames.builder().type("order-paid", Order.class).build();
    context.registerBean(TypedPayloads.class, () -> new TypedPayloads(CUSTOMERS, types));
    Shop shop = start(Shop.class);

    shop.any("1", new Order(1, "Ada"));

    Message sent = centre.sent().get(0);
    assertThat(new String(sent.payload(), UTF_8)).isEqualTo("Ada");
    assertThat(sent.type()).isEqualTo("order-paid");
  }

  @Test
  void aCallByItsOwnObjectSendsNothing() {
    Shop shop = start(Shop.class);

    assertThatThrownBy(() -> shop.payByItself(new Order(1, "Ada")))
        .hasMessageContaining("UNKNOWN"); // the shop looks whether it is prepared

    assertThat(centre.sent()).isEmpty();
  }

  /** As a bean of an interface. */
  interface Payments {
    void pay(String id);
  }

  @Lazy
  static class LazyPayments implements Payments {
    private final JdbcTemplate jdbc;

    LazyPayments(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Override
    @TransactionalMessage(
        business = "${payments.business:late-paid}",
        key = "#id",
        destination = "kafka:orders",
        payload = "#id")
    public void pay(String id) {
      jdbc.update("INSERT INTO business VALUES (?)", id);
    }
  }

  @Test
  void businessIdsAreKnownBeforeALazyBeanIsMade() {
    context.register(LazyPayments.class);
    context.refresh();

    assertThat(context.getBean(TransactionalMethods.class).businesses())
        .containsExactly("late-paid");

    context.getBean(Payments.class).pay("1");
    assertThat(centre.state(new HalfKey("late-paid", "1"))).isEqualTo(HalfState.COMMITTED);
  }
}
