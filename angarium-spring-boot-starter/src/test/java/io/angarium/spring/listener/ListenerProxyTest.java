package io.angarium.spring.listener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.handler.Delivery;
import io.angarium.handler.OutboxHandler;
import io.angarium.inbox.Inbox;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.SpringInbox;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Listeners behind proxies and generic interfaces, in transactions of a database. */
class ListenerProxyTest {
  private final DataSource dataSource =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  ListenerProxyTest() {
    jdbc.execute("CREATE TABLE business (name VARCHAR(200))");
    DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
    JdbcInbox plain =
        JdbcInbox.open(dataSource, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    context.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(context.getBeanFactory()));
    context.registerBean(PlatformTransactionManager.class, () -> manager);
    context.registerBean("inbox", Inbox.class, () -> new SpringInbox(dataSource, manager, plain));
    context.registerBean("plain", Inbox.class, () -> plain, d -> d.setAutowireCandidate(false));
    context.registerBean(JdbcTemplate.class, () -> jdbc);
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

  private static Delivery delivery(String business) {
    return new Delivery(
        new MessageId(UUID.randomUUID()),
        Message.of("handler:stock", business.getBytes(UTF_8)).business("paid", business),
        0,
        Instant.EPOCH);
  }

  /** Has a bridge method, as everything that implements a generic interface. */
  static class Handler implements OutboxHandler<Connection> {
    private final JdbcTemplate jdbc;

    Handler(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Override
    public String name() {
      return "stock";
    }

    @Override
    @IdempotentConsumer(consumer = "stock", businessKey = true)
    public void handle(Connection transaction, Delivery delivery) {
      jdbc.update(
          "INSERT INTO business VALUES (?)", new String(delivery.message().payload(), UTF_8));
    }
  }

  @Test
  void handlerIsCalledOnceForABusinessKey() throws Exception {
    OutboxHandler<Connection> handler = start(Handler.class);

    handler.handle(null, delivery("4711"));
    handler.handle(null, delivery("4711"));
    handler.handle(null, delivery("4712"));

    assertThat(rows()).containsExactly("4711", "4712");
  }

  /** As those of RocketMQ's starter. */
  interface Receiver<T> {
    void receive(T message);
  }

  static class GenericReceiver implements Receiver<Delivery> {
    final List<String> received = new ArrayList<>();

    List<String> received() {
      return received;
    }

    @Override
    @IdempotentConsumer(consumer = "stock", key = "message().key()")
    public void receive(Delivery delivery) {
      received.add(String.valueOf(delivery.message().key()));
    }
  }

  @Test
  void listenerIsCalledOnceThroughAGenericInterface() {
    GenericReceiver bean = start(GenericReceiver.class);
    Receiver<Delivery> receiver = bean;
    Delivery delivery =
        new Delivery(
            new MessageId(UUID.randomUUID()),
            Message.of("handler:stock", new byte[1]).key("4711"),
            0,
            Instant.EPOCH);

    receiver.receive(delivery);
    receiver.receive(delivery);

    assertThat(bean.received()).containsExactly("4711");
  }

  static class Transacting {
    private final JdbcTemplate jdbc;
    final List<String> transactions = new ArrayList<>();

    Transacting(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    List<String> transactions() {
      return transactions;
    }

    @Transactional
    @IdempotentConsumer(consumer = "stock", key = "#p0")
    void receive(String order) {
      transactions.add(
          String.valueOf(TransactionSynchronizationManager.getCurrentTransactionName()));
      jdbc.update("INSERT INTO business VALUES (?)", order);
      if (order.equals("fails")) {
        throw new IllegalStateException("planned");
      }
    }
  }

  @Test
  void transactionOfTheInboxIsAroundThatOfTheMethod() {
    Transacting bean = start(Transacting.class);

    bean.receive("4711");
    bean.receive("4711");
    assertThatThrownBy(() -> bean.receive("fails")).hasMessage("planned");

    assertThat(rows()).containsExactly("4711");
    // the inbox began it: that of the method would have its name
    assertThat(bean.transactions()).containsExactly("null", "null");
    assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM inbox", Long.class)).isEqualTo(1);
  }

  static class Elsewhere {
    @Transactional("other")
    @IdempotentConsumer(consumer = "stock", key = "#p0")
    void receive(String order) {}
  }

  private void other(DataSource its) {
    context.registerBean(
        "other", PlatformTransactionManager.class, () -> new DataSourceTransactionManager(its));
  }

  @Test
  void transactionOfAnotherManagerIsRefused() {
    other(JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", ""));

    assertThatThrownBy(() -> start(Elsewhere.class))
        .hasMessageContainingAll(
            "Elsewhere.receive",
            "@Transactional with transaction manager 'other' (expected: '",
            "as it joins the transaction of the inbox");
  }

  @Test
  void transactionOfAManagerOfTheSameDataSourceJoins() {
    other(dataSource);

    start(Elsewhere.class).receive("4711");

    assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM inbox", Long.class)).isEqualTo(1);
  }

  static class Plain {
    @IdempotentConsumer(consumer = "stock", key = "#p0", inbox = "plain")
    void receive(String order) {}
  }

  @Test
  void inboxWithTransactionsOfItsOwnIsRefused() {
    assertThatThrownBy(() -> start(Plain.class))
        .hasMessageContainingAll("JdbcInbox", "SpringInbox");
  }

  static class Receiving {
    private final JdbcTemplate jdbc;

    Receiving(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @IdempotentConsumer(consumer = "stock", key = "#p0")
    public void receive(String order) {
      jdbc.update("INSERT INTO business VALUES (?)", order);
    }
  }

  @Test
  void listenerThatIsTwoBeansIsCalledOnce() {
    context.registerBean("listener", Receiving.class);
    context.registerBean("same", Object.class, () -> context.getBean("listener"));
    context.refresh();
    Receiving bean = (Receiving) context.getBean("same");

    bean.receive("4711");
    bean.receive("4711");

    assertThat(rows()).containsExactly("4711");
  }

  @Configuration(proxyBeanMethods = false)
  static class Scoped {
    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Receiving receiving(JdbcTemplate jdbc) {
      return new Receiving(jdbc);
    }
  }

  @Test
  void listenerBehindTheProxyOfItsScopeIsCalledOnce() {
    context.register(Scoped.class);
    context.refresh();
    Receiving bean = context.getBean(Receiving.class);

    bean.receive("4711");
    bean.receive("4711");

    assertThat(rows()).containsExactly("4711");
  }
}
