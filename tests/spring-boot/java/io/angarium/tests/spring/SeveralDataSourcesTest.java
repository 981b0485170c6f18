package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.SpringInbox;
import io.angarium.spring.SpringLocalTransactions;
import io.angarium.spring.half.TransactionalMessage;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

@OnBootFour
class SeveralDataSourcesTest {
  private static final Database REPORTS = Database.h2();
  private static final Database SALES = Database.h2();

  @Test
  void markedDataSourceHoldsTheOutboxAndOnlyItsTransactionsMaySend() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context =
        Shop.on(REPORTS).withoutJpa().with(Marked.class).start()) {
      mailbox = context.getBean(Mailbox.class);
      Outbox outbox = context.getBean(Outbox.class);
      Message message = Message.of("mailbox:sales", new byte[0]).key("sale 1");

      transactions(context, "salesTransactions")
          .executeWithoutResult(status -> outbox.send(message));
      assertThatThrownBy(
              () ->
                  transactions(context, "reportsTransactions")
                      .executeWithoutResult(status -> outbox.send(message)))
          .isInstanceOf(NoTransactionException.class)
          .hasMessageContaining("not one of the outbox's data source");
    }

    assertThat(mailbox.keys()).containsExactly("sale 1");
    assertThat(SALES.unsent()).isZero();
    assertThatThrownBy(REPORTS::unsent).hasMessageContaining("outbox");
  }

  @Test
  void severalWithoutAMarkAreAFault() {
    assertThatThrownBy(() -> Shop.on(REPORTS).withoutJpa().with(Unmarked.class).start())
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContaining("data sources: 2 beans, 0 of them marked")
        .hasMessageContaining("@OutboxDataSource");
  }

  @Test
  void relayMayHaveADataSourceOfItsOwn() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context =
        Shop.on(SALES)
            .withoutJpa()
            .with(Small.class)
            .with("angarium.jdbc.relay-data-source=relayPool")
            .start()) {
      mailbox = context.getBean(Mailbox.class);
      Outbox outbox = context.getBean(Outbox.class);

      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> outbox.send(Message.of("mailbox:sales", new byte[0]).key("small 1")));
    }

    assertThat(mailbox.keys()).containsExactly("small 1");
  }

  @Test
  void smallPoolStopsTheStartWithBothNumbers() {
    assertThatThrownBy(() -> Shop.on(SALES).withoutJpa().with(Small.class).start())
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContaining("connections: a pool of 2 (expected: at least 6, as the relay keeps 5");
  }

  @Test
  void nameOfNoDataSourceIsAFault() {
    Shop shop =
        Shop.on(SALES)
            .withoutJpa()
            .with(Small.class)
            .with("angarium.jdbc.relay-data-source=relays");

    assertThatThrownBy(shop::start)
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContaining("angarium.jdbc.relay-data-source: relays (expected:")
        .hasMessageContaining("relayPool");
  }

  @Configuration(proxyBeanMethods = false)
  static class Small {
    @Bean
    @Primary
    DataSource applicationPool() {
      return pool(2);
    }

    @Bean
    DataSource relayPool() {
      return pool(6);
    }

    private static DataSource pool(int size) {
      DataSource pool = open(SALES);
      PropertyAccessorFactory.forBeanPropertyAccess(pool)
          .setPropertyValue("maximumPoolSize", size);
      return pool;
    }
  }

  private static Shop paying(Class<?> payments) {
    return Shop.on(REPORTS)
        .withoutJpa()
        .with(Marked.class)
        .with(payments)
        .with("angarium.half.enabled=true")
        .with("angarium.half.check.first=1s");
  }

  private static List<String> faultsOf(Shop shop) {
    return catchThrowableOfType(ConfigurationException.class, shop::start).faults();
  }

  private static List<String> faultsOfBeans(Shop shop) {
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(catchThrowable(shop::start));
    assertThat(cause).isInstanceOf(ConfigurationException.class);
    return ((ConfigurationException) cause).faults();
  }

  private static void assertAsksForTheBusinessDatabase(List<String> faults) {
    assertThat(faults)
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("transaction managers: 2, reportsTransactions of another one")
                    .contains("salesTransactions of the outbox's data source"));
  }

  private static HalfState state(ConfigurableApplicationContext context, String key) {
    return context.getBean(HalfMessages.class).state(new HalfKey("sale", key));
  }

  private static List<String> sales() {
    return SALES.jdbc().queryForList("SELECT name FROM sale ORDER BY name", String.class);
  }

  @Test
  void methodsWithAMessageDoNotSilentlyRunOutsideOfTheBusinessTransaction() {
    assertAsksForTheBusinessDatabase(faultsOf(paying(Selling.class)));
    assertAsksForTheBusinessDatabase(
        faultsOfBeans(paying(Calling.class).with("angarium.half.check.markers=sale")));
  }

  /** Where others ask at the endpoint, not at their first question. */
  @Test
  void markersOfAnotherDatabaseStopTheStartWhereNobodyAsksYet() {
    Shop answering =
        Shop.on(REPORTS)
            .withoutJpa()
            .with(Marked.class)
            .with("angarium.half.enabled=true")
            .with("angarium.half.check.enabled=false")
            .with("angarium.half.check.markers=sale");

    assertAsksForTheBusinessDatabase(faultsOfBeans(answering));
    assertThat(faultsOf(answering.with(TwoMessages.class)))
        .singleElement()
        .asString()
        .startsWith("beans of TransactionalMessages: 2 (expected: one, or one of several marked");
  }

  @Test
  void consumersDoNotSilentlyRunOutsideOfTheBusinessTransaction() {
    List<String> faults =
        faultsOfBeans(
            Shop.on(REPORTS)
                .withoutJpa()
                .with(Marked.class)
                .with("angarium.inbox.enabled=true")
                .with("angarium.inbox.schema-mode=create"));

    assertAsksForTheBusinessDatabase(faults);
    assertThat(faults.get(0)).contains("a bean of SpringInbox marked with @Primary");
  }

  @Test
  void aNamedInboxIsTaken() {
    try (ConfigurableApplicationContext context =
        Shop.on(REPORTS)
            .withoutJpa()
            .with(Marked.class)
            .with(ReportsInbox.class)
            .with("angarium.inbox.enabled=true")
            .start()) {
      REPORTS.jdbc().execute("CREATE TABLE effect (name VARCHAR(20))");
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      Inbox<Connection> inbox = context.getBean(SpringInbox.class);

      assertThatThrownBy(
              () ->
                  inbox.process(
                      InboxKey.of("reports", "1"),
                      connection -> {
                        jdbc.update("INSERT INTO effect VALUES ('lost')");
                        throw new IllegalStateException("planned");
                      }))
          .hasMessage("planned");
      inbox.process(
          InboxKey.of("reports", "1"),
          connection -> jdbc.update("INSERT INTO effect VALUES ('kept')"));

      assertThat(REPORTS.jdbc().queryForList("SELECT name FROM effect", String.class))
          .containsExactly("kept");
    }
  }

  @Test
  void businessDataElsewhereCommitsAndRollsBackWithItsMessage() {
    REPORTS.jdbc().execute("CREATE TABLE payment (id VARCHAR(20))");
    Shop shop =
        paying(Paying.class)
            .with(ReportsTransactions.class)
            .with("angarium.half.check.markers=called");
    try (ConfigurableApplicationContext context = shop.start()) {
      Paying paying = context.getBean(Paying.class);
      HalfMessages half = context.getBean(HalfMessages.class);

      paying.pay("1");
      assertThatThrownBy(() -> paying.pay("no 2")).hasMessage("planned");

      assertThat(REPORTS.jdbc().queryForList("SELECT id FROM payment", String.class))
          .containsExactly("1");
      assertThat(half.state(new HalfKey("payment", "1"))).isEqualTo(HalfState.COMMITTED);
      assertThat(half.state(new HalfKey("payment", "no 2"))).isEqualTo(HalfState.ROLLED_BACK);
      assertMarkersOfTheBusinessDatabaseAnswer(context);
    }
  }

  /** As after a crash between the business commit and the one of the message. */
  private static void assertMarkersOfTheBusinessDatabaseAnswer(
      ConfigurableApplicationContext context) {
    HalfKey key = new HalfKey("called", "3");
    HalfMessages half = context.getBean(HalfMessages.class);
    half.prepare(HalfMessage.of(key, Message.of("mailbox:sales", "3").key("3")));
    context
        .getBean(SpringLocalTransactions.class)
        .run(new Marker("called", "3"), connection -> "paid");

    Mailbox mailbox = context.getBean(Mailbox.class);
    String next = "";
    while (!next.equals("3")) {
      next = String.valueOf(mailbox.next().message().key());
    }
    assertThat(half.state(key)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void methodsWithAMessageRunInTheTransactionsThatAreNamed() {
    SALES.jdbc().execute("CREATE TABLE sale (name VARCHAR(20))");
    Shop shop = paying(Selling.class).with(SalesTransactions.class);
    try (ConfigurableApplicationContext context = shop.start()) {
      Selling selling = context.getBean(Selling.class);

      selling.sell("1");
      selling.sellInItsTransaction("2");
      assertThatThrownBy(() -> selling.sell("no 3")).hasMessage("planned");

      assertThat(sales()).containsExactly("1", "2");
      assertThat(state(context, "1")).isEqualTo(HalfState.COMMITTED);
      assertThat(state(context, "2")).isEqualTo(HalfState.COMMITTED);
      assertThat(state(context, "no 3")).isEqualTo(HalfState.ROLLED_BACK);
    }
  }

  static class Selling {
    private final JdbcTemplate jdbc;

    Selling(@OutboxDataSource DataSource sales) {
      this.jdbc = new JdbcTemplate(sales);
    }

    @TransactionalMessage(
        business = "sale",
        key = "#name",
        destination = "mailbox:sales",
        payload = "#name")
    public void sell(String name) {
      jdbc.update("INSERT INTO sale VALUES (?)", name);
      if (name.startsWith("no")) {
        throw new IllegalStateException("planned");
      }
    }

    @Transactional("salesTransactions")
    @TransactionalMessage(
        business = "sale",
        key = "#name",
        destination = "mailbox:sales",
        payload = "#name")
    public void sellInItsTransaction(String name) {
      sell(name);
    }
  }

  /** Injects what it calls itself. */
  static class Calling {
    Calling(TransactionalMessages<Connection> messages) {
      assertThat(messages).isNotNull();
    }
  }

  /** Its JdbcTemplate is that of the primary data source. */
  static class Paying {
    private final JdbcTemplate jdbc;

    Paying(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @TransactionalMessage(
        business = "payment",
        key = "#id",
        destination = "mailbox:sales",
        payload = "#id")
    public void pay(String id) {
      jdbc.update("INSERT INTO payment VALUES (?)", id);
      if (id.startsWith("no")) {
        throw new IllegalStateException("planned");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ReportsTransactions {
    @Bean(defaultCandidate = false)
    JdbcDatabase reportsDatabase(@Qualifier("reports") DataSource reports) {
      return JdbcDatabase.open(
          reports,
          JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE).features(SchemaFeature.MARKER));
    }

    @Bean
    SpringLocalTransactions businessTransactions(
        @Qualifier("reports") DataSource reports,
        @Qualifier("reportsTransactions") PlatformTransactionManager transactions,
        @Qualifier("reportsDatabase") JdbcDatabase database) {
      return new SpringLocalTransactions(reports, transactions, database.markers());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SalesTransactions {
    @Bean
    SpringLocalTransactions businessTransactions(
        @OutboxDataSource DataSource sales,
        @Qualifier("salesTransactions") PlatformTransactionManager transactions,
        JdbcDatabase database) {
      return new SpringLocalTransactions(sales, transactions, database.markers());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(ReportsTransactions.class)
  static class TwoMessages {
    @Bean
    TransactionalMessages<Connection> one(HalfMessages half, SpringLocalTransactions local) {
      return new TransactionalMessages<>(half, local);
    }

    @Bean
    TransactionalMessages<Connection> two(HalfMessages half, SpringLocalTransactions local) {
      return new TransactionalMessages<>(half, local);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ReportsInbox {
    @Bean
    JdbcInbox reportsInbox(@Qualifier("reports") DataSource reports) {
      return JdbcInbox.open(reports, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    @Bean
    @Primary
    SpringInbox businessInbox(
        @Qualifier("reports") DataSource reports,
        @Qualifier("reportsTransactions") PlatformTransactionManager transactions,
        JdbcInbox inbox) {
      return new SpringInbox(reports, transactions, inbox);
    }
  }

  static class Misled {
    @Transactional
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void unqualified(String id) {}

    @Transactional("reportsTransactions")
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void qualified(String id) {}

    @Transactional("none")
    @TransactionalMessage(business = "b", key = "#id", destination = "mailbox:o", payload = "#id")
    public void unknown(String id) {}
  }

  @Test
  void transactionsOfAnotherManagerStopTheStart() {
    String at = "@TransactionalMessage at Misled.";
    String other =
        ": @Transactional with transaction manager 'reportsTransactions' (expected:"
            + " 'salesTransactions', as it joins";

    assertThat(
            faultsOf(paying(Misled.class).with(SalesTransactions.class)))
        .hasSize(3)
        .anySatisfy(fault -> assertThat(fault).startsWith(at + "unqualified" + other))
        .anySatisfy(fault -> assertThat(fault).startsWith(at + "qualified" + other))
        .anySatisfy(
            fault ->
                assertThat(fault)
                    .startsWith(at + "unknown: @Transactional with transaction manager that")
                    .contains("'none'", "(expected: 'salesTransactions'"));
  }

  @Test
  void withoutAManagerOfTheMarkedDataSourceTheStartIsStopped() {
    Shop misled =
        Shop.on(REPORTS)
            .withoutJpa()
            .with(WithoutTransactions.class)
            .with(Selling.class)
            .with("angarium.half.enabled=true")
            .with("angarium.inbox.enabled=false");

    assertThat(faultsOf(misled))
        .as("nothing of @Transactional, whose manager cannot be judged then")
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("transaction managers: 1, reportsTransactions of another one")
                    .contains("a bean LocalTransactions<Connection>"));
  }

  private static TransactionTemplate transactions(
      ConfigurableApplicationContext context, String name) {
    return new TransactionTemplate(context.getBean(name, PlatformTransactionManager.class));
  }

  private static DataSource open(Database database) {
    return DataSourceBuilder.create()
        .url(database.url())
        .username(database.user())
        .password(database.password())
        .build();
  }

  @Configuration(proxyBeanMethods = false)
  static class Marked {
    @Bean
    @Primary
    DataSource reports() {
      return open(REPORTS);
    }

    @Bean
    @OutboxDataSource
    DataSource sales() {
      return open(SALES);
    }

    @Bean
    @Primary
    DataSourceTransactionManager reportsTransactions(DataSource reports) {
      return new DataSourceTransactionManager(reports);
    }

    @Bean
    DataSourceTransactionManager salesTransactions(@OutboxDataSource DataSource sales) {
      return new DataSourceTransactionManager(sales);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WithoutTransactions {
    @Bean
    @Primary
    DataSource reports() {
      return open(REPORTS);
    }

    @Bean
    @OutboxDataSource
    DataSource sales() {
      return open(SALES);
    }

    @Bean
    DataSourceTransactionManager reportsTransactions(DataSource reports) {
      return new DataSourceTransactionManager(reports);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Unmarked {
    @Bean
    DataSource reports() {
      return open(REPORTS);
    }

    @Bean
    DataSource sales() {
      return open(SALES);
    }
  }
}
