package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.half.TransactionalMessage;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

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

  private static Shop paying(Class<?> payments) {
    return Shop.on(REPORTS)
        .withoutJpa()
        .with(Marked.class)
        .with(payments)
        .with("angarium.half.enabled=true");
  }

  private static HalfState state(ConfigurableApplicationContext context, String key) {
    return context.getBean(HalfMessages.class).state(new HalfKey("sale", key));
  }

  private static List<String> sales() {
    return SALES.jdbc().queryForList("SELECT name FROM sale ORDER BY name", String.class);
  }

  @Test
  void methodsWithAMessageRunInTransactionsOfTheMarkedDataSource() {
    SALES.jdbc().execute("CREATE TABLE sale (name VARCHAR(20))");
    try (ConfigurableApplicationContext context = paying(Selling.class).start()) {
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
            catchThrowableOfType(ConfigurationException.class, paying(Misled.class)::start)
                .faults())
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

    assertThat(catchThrowableOfType(ConfigurationException.class, misled::start).faults())
        .as("nothing of @Transactional, whose manager cannot be judged then")
        .singleElement()
        .satisfies(
            fault ->
                assertThat(fault)
                    .startsWith("transaction managers: 1, reportsTransactions of another one")
                    .contains("a bean of SpringLocalTransactions"));
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
