package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.SpringInbox;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** An inbox in an application with several outboxes. */
// #28
@OnBootFour
class SeveralDatabasesTest {
  private static final InboxKey KEY = InboxKey.of("stock", "1");
  private static final String TABLES =
      "SELECT LOWER(table_name) FROM information_schema.tables WHERE table_schema = 'PUBLIC'";

  private final Database sales = Database.h2();
  private final Database reports = Database.h2();

  private Shop shop() {
    return Shop.on(sales)
        .withoutJpa()
        .with("test.sales=" + sales.url())
        .with("test.reports=" + reports.url())
        .with(TwoDataSources.class)
        .with("angarium.inbox.enabled=true");
  }

  private static List<String> tables(Database database) {
    return database.jdbc().queryForList(TABLES, String.class);
  }

  @Test
  void starterHasItsInboxWhereItsOutboxIs() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context =
        shop().with(ReportsOutbox.class).with("angarium.inbox.schema-mode=create").start()) {
      assertThat(context.getBeansOfType(JdbcDatabase.class)).hasSize(2);
      mailbox = context.getBean(Mailbox.class);
      Inbox<?> inbox = context.getBean(Inbox.class);
      Outbox outbox = context.getBean(Outbox.class);
      Message answer = Message.of("mailbox:sales", new byte[0]).key("answer 1");

      boolean first = inbox.process(KEY, connection -> outbox.send(answer));
      boolean again = inbox.process(KEY, connection -> outbox.send(answer));

      assertThat(List.of(first, again)).containsExactly(true, false);
    }

    assertThat(mailbox.keys()).containsExactly("answer 1");
    assertThat(tables(sales)).contains("outbox", "inbox");
    assertThat(tables(reports)).contains("outbox").doesNotContain("inbox");
  }

  @Test
  void eachDatabaseMayHaveAnInboxOfItsOwn() {
    reports.jdbc().execute("CREATE TABLE report (name VARCHAR(20))");
    try (ConfigurableApplicationContext context =
        shop()
            .with(ReportsOutbox.class)
            .with(ReportsInbox.class)
            .with("angarium.inbox.schema-mode=create")
            .start()) {
      SpringInbox ofSales = context.getBean(SpringInbox.class);
      SpringInbox ofReports = context.getBean("reportsInbox", SpringInbox.class);
      JdbcTemplate jdbc = new JdbcTemplate(context.getBean("reports", DataSource.class));

      assertThatThrownBy(
              () ->
                  ofReports.process(
                      KEY,
                      connection -> {
                        jdbc.update("INSERT INTO report VALUES ('lost')");
                        throw new IllegalStateException("planned");
                      }))
          .hasMessage("planned");
      ofReports.process(KEY, connection -> jdbc.update("INSERT INTO report VALUES ('kept')"));

      assertThat(ofReports.process(KEY, connection -> {})).isFalse();
      assertThat(ofSales.process(KEY, connection -> {})).as("the other one's note").isTrue();
    }

    assertThat(reports.jdbc().queryForList("SELECT name FROM report", String.class))
        .containsExactly("kept");
  }

  /** The inbox must not be opened before the outbox beside it, whose fault would be hidden. */
  @Test
  void missingTablesOfTheStartersOutboxAndInboxAreListedTogether() {
    Shop shop =
        shop()
            .with(ReportsOutbox.class)
            .with(Consumer.class)
            .with("angarium.jdbc.schema-mode=validate");

    assertThat(faults(shop))
        .hasSize(2)
        .anyMatch(fault -> fault.startsWith("feature outbox: none of its tables"))
        .anyMatch(fault -> fault.startsWith("feature inbox: none of its tables"));
    assertThat(tables(sales)).isEmpty();
  }

  @Test
  void databasesOfTheApplicationTakeThePlaceOfTheStarters() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context =
        shop().with(OwnDatabases.class).with("angarium.inbox.schema-mode=create").start()) {
      assertThat(context.getBeanNamesForType(JdbcDatabase.class))
          .containsExactlyInAnyOrder("salesDatabase", "archiveDatabase");
      mailbox = context.getBean(Mailbox.class);
      Outbox outbox = context.getBean(Outbox.class);

      context
          .getBean(SpringInbox.class)
          .process(
              KEY,
              connection -> outbox.send(Message.of("mailbox:sales", new byte[0]).key("answer 2")));
    }

    assertThat(mailbox.keys()).containsExactly("answer 2");
    assertThat(tables(sales)).contains("mail", "inbox").doesNotContain("outbox");
  }

  @Test
  void severalDatabasesOfWhichNoneIsChosenAreNamed() {
    Shop shop = shop().with(EqualDatabases.class).with("angarium.inbox.schema-mode=create");

    assertThatThrownBy(shop::start)
        .hasMessageContaining("expected single matching bean but found 2")
        .hasMessageContaining("oneDatabase")
        .hasMessageContaining("otherDatabase");
  }

  private static List<String> faults(Shop shop) {
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(catchThrowable(shop::start));
    assertThat(cause).isInstanceOf(ConfigurationException.class);
    return ((ConfigurationException) cause).faults();
  }

  private static JdbcDatabase database(DataSource dataSource, String tables) {
    return JdbcDatabase.open(
        dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE).tables(tables));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {
    @Bean
    @Primary
    @OutboxDataSource
    DataSource sales(@Value("${test.sales}") String url) {
      return new DriverManagerDataSource(url, "sa", "");
    }

    @Bean
    DataSource reports(@Value("${test.reports}") String url) {
      return new DriverManagerDataSource(url, "sa", "");
    }

    @Bean
    @Primary
    DataSourceTransactionManager salesTransactions(@OutboxDataSource DataSource sales) {
      return new DataSourceTransactionManager(sales);
    }

    @Bean
    DataSourceTransactionManager reportsTransactions(@Qualifier("reports") DataSource reports) {
      return new DataSourceTransactionManager(reports);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ReportsOutbox {
    @Bean(defaultCandidate = false)
    JdbcDatabase reportsDatabase(@Qualifier("reports") DataSource reports) {
      return database(reports, "outbox");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class ReportsInbox {
    @Bean(defaultCandidate = false)
    JdbcInbox reportsJdbcInbox(@Qualifier("reports") DataSource reports) {
      return JdbcInbox.open(reports, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    @Bean(defaultCandidate = false)
    SpringInbox reportsInbox(
        @Qualifier("reports") DataSource reports,
        @Qualifier("reportsTransactions") PlatformTransactionManager transactions,
        @Qualifier("reportsJdbcInbox") JdbcInbox inbox) {
      return new SpringInbox(reports, transactions, inbox);
    }
  }

  /** A bean of the application, which is made before the beans of the starter. */
  static class Consumer {
    Consumer(SpringInbox inbox) {
      assertThat(inbox).isNotNull();
    }
  }

  /** Two outboxes of one database; the starter uses the primary one. */
  @Configuration(proxyBeanMethods = false)
  static class OwnDatabases {
    @Bean
    @Primary
    JdbcDatabase salesDatabase(@OutboxDataSource DataSource sales) {
      return database(sales, "mail");
    }

    @Bean
    JdbcDatabase archiveDatabase(@OutboxDataSource DataSource sales) {
      return database(sales, "archive");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class EqualDatabases {
    @Bean
    JdbcDatabase oneDatabase(@OutboxDataSource DataSource sales) {
      return database(sales, "one_box");
    }

    @Bean
    JdbcDatabase otherDatabase(@OutboxDataSource DataSource sales) {
      return database(sales, "other_box");
    }
  }
}
