package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.spring.OutboxDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
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
        .hasMessageContaining("data sources: 2, 0 of them marked")
        .hasMessageContaining("@OutboxDataSource");
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
