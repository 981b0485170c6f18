package io.angarium.recipes.datasources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.recipes.Application;
import io.angarium.recipes.Topic;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class SeveralDataSourcesTest {
  private static TestDatabase sales;
  private static TestDatabase reports;
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void start() throws SQLException {
    sales = SharedServers.postgres().freshDatabase();
    sales.execute("CREATE TABLE sale (item VARCHAR(20) PRIMARY KEY)");
    reports = SharedServers.postgres().freshDatabase();
    reports.execute("CREATE TABLE report (name VARCHAR(20) PRIMARY KEY)");
    Topic.create("sales");
    Topic.create("reports");
    context = on(on(Application.of(Shop.class), "sales", sales), "reports", reports).start();
  }

  private static Application on(Application application, String name, TestDatabase database) {
    return application
        .withoutJpa()
        .with(name + ".datasource.jdbc-url=" + database.url())
        .with(name + ".datasource.username=" + database.user())
        .with(name + ".datasource.password=" + database.password());
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static TransactionTemplate transactions(String manager) {
    return new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class));
  }

  @Test
  void markedDataSourceHoldsTheOutboxOfTheStarter() throws SQLException {
    Sales shop = context.getBean(Sales.class);

    transactions("salesTransactions")
        .executeWithoutResult(
            status -> {
              shop.sell("lost");
              status.setRollbackOnly();
            });
    shop.sell("book");

    assertThat(new Topic("sales").await(1)).containsExactly("book");
    assertThat(sales.number("SELECT COUNT(*) FROM sale")).isEqualTo(1);
  }

  @Test
  void secondOutboxBelongsToTheOtherDatabase() throws SQLException {
    Reports shop = context.getBean(Reports.class);

    transactions("reportsTransactions")
        .executeWithoutResult(
            status -> {
              shop.publish("lost");
              status.setRollbackOnly();
            });
    shop.publish("monthly");

    assertThat(new Topic("reports").await(1)).containsExactly("monthly");
    assertThat(reports.number("SELECT COUNT(*) FROM report")).isEqualTo(1);
  }

  @Test
  void outboxRefusesTransactionsOfTheOtherDatabase() {
    Outbox outbox = context.getBean(Outbox.class);
    Message message = Message.of("kafka:sales", new byte[0]);

    assertThatThrownBy(
            () ->
                transactions("reportsTransactions")
                    .executeWithoutResult(status -> outbox.send(message)))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("not one of the outbox's data source");
  }

  @Test
  void unmarkedDataSourcesStopTheStart() {
    Application application = Application.of(Unmarked.class).withoutJpa();

    assertThatThrownBy(application::start)
        .hasRootCauseInstanceOf(ConfigurationException.class)
        .rootCause()
        .hasMessageContaining("data sources: 2 beans, 0 of them marked")
        .hasMessageContaining("@OutboxDataSource");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Unmarked {
    @Bean
    DataSource first() {
      return open(sales);
    }

    @Bean
    DataSource second() {
      return open(reports);
    }

    private static DataSource open(TestDatabase database) {
      return DataSourceBuilder.create()
          .url(database.url())
          .username(database.user())
          .password(database.password())
          .build();
    }
  }
}
