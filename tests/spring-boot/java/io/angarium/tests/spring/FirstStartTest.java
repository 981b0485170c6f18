package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.inbox.Inbox;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.OutboxDataSource;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** What a user reads whose first start goes wrong: which setting, what is wrong, what to do. */
@OnOneJdk
@ExtendWith(OutputCaptureExtension.class)
class FirstStartTest {
  private static final String WITHOUT_DATA_SOURCE =
      Shop.WITHOUT_JPA
          + ",org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
          + ",org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

  private static final String CREATE = "angarium.jdbc.schema-mode=create";

  private final Database database = Database.h2();

  @Test
  void withoutTransportsTheModulesAreNamed(CapturedOutput output) {
    FirstStart start = FirstStart.on(database).withoutTransports().with(CREATE);

    assertThat(start.failure(output))
        .contains("transports: none")
        .contains("angarium-kafka or angarium-rabbitmq or angarium-rocketmq or angarium-http")
        .contains("bean of OutboxHandler")
        .contains("angarium.relay.enabled=false");
  }

  @Test
  void transportsThatAreSwitchedOffAreNamed(CapturedOutput output) {
    FirstStart start =
        FirstStart.on(database)
            .with(CREATE)
            .with("angarium.kafka.enabled=false")
            .with("angarium.rabbitmq.enabled=false")
            .with("angarium.rocketmq.enabled=false");

    assertThat(start.failure(output))
        .contains("transports: none")
        .contains("set angarium.kafka.enabled=true or angarium.rabbitmq.enabled=true")
        .contains("angarium.http.hooks.<name>.url")
        .doesNotContain("to the class path");
  }

  @Test
  void hooksOfATransportThatIsSwitchedOffAreToldToNeedIt(CapturedOutput output) {
    FirstStart start =
        FirstStart.on(database)
            .with(CREATE)
            .with("angarium.kafka.enabled=false")
            .with("angarium.rabbitmq.enabled=false")
            .with("angarium.rocketmq.enabled=false")
            .with("angarium.http.enabled=false")
            .with("angarium.http.hooks.orders.url=http://127.0.0.1:1/orders");

    assertThat(start.failure(output))
        .contains("or angarium.http.enabled=true,")
        .doesNotContain("angarium.http.hooks.<name>.url");
  }

  @Test
  void databaseThatIsAwayIsNamedWithoutItsPassword(CapturedOutput output) {
    FirstStart start =
        FirstStart.on(
                new Database(
                    "jdbc:postgresql://127.0.0.1:1/shop?ssl=false&password=hush", "app", "secret"))
            .withoutTransports();

    assertThat(start.failure(output))
        .contains("Failed opening the outbox's database.")
        .contains("Data source: jdbc:postgresql://127.0.0.1:1/shop, user 'app'")
        .contains("Answer: Connection to 127.0.0.1:1 refused")
        .contains("Start the database, or correct spring.datasource.url")
        .doesNotContain("secret", "hush");
  }

  @Test
  void wrongPasswordIsSaid(CapturedOutput output) {
    database.jdbc().execute("CREATE TABLE orders (id BIGINT)"); // so that the database exists

    assertThat(
            FirstStart.on(new Database(database.url(), "sa", "wrong"))
                .withoutTransports()
                .failure(output))
        .contains("Correct spring.datasource.username and spring.datasource.password.");
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void refusalsOfPostgresAreTold(CapturedOutput output) {
    refusalsAreTold(Database.postgres(), output);
  }

  @Test
  @RequiresServer(Server.MARIADB)
  void refusalsOfMariaDbAreTold(CapturedOutput output) {
    refusalsAreTold(Database.mariaDb(), output);
  }

  private static void refusalsAreTold(Database real, CapturedOutput output) {
    Database wrongPassword = new Database(real.url(), real.user() + "_x", "wrong");
    Database missing =
        new Database(
            real.url().replaceFirst("(//[^/]*/)[^?]*", "$1nowhere"), real.user(), real.password());

    assertThat(FirstStart.on(wrongPassword).withoutTransports().failure(output))
        .contains("Correct spring.datasource.username and spring.datasource.password.")
        .contains("user '" + wrongPassword.user() + "'");
    assertThat(FirstStart.on(missing).withoutTransports().failure(output))
        .contains("Create the database, or correct its name in spring.datasource.url.")
        .contains("nowhere");
  }

  @Test
  void withoutADataSourceItIsSaidWhatTheOutboxNeeds(CapturedOutput output) {
    assertThat(
            FirstStart.withoutDatabase()
                .with(WITHOUT_DATA_SOURCE)
                .with(Orders.class)
                .failure(output))
        .contains("Orders", "asks for a bean of type io.angarium.Outbox")
        .contains("there is no DataSource bean")
        .contains("Set spring.datasource.url")
        .contains("spring-boot-starter-jdbc");
    assertThat(FirstStart.on(database).with(WITHOUT_DATA_SOURCE).with(Orders.class).failure(output))
        .contains("Nothing reads spring.datasource.url");
  }

  @Test
  void outboxThatIsSwitchedOffIsSaidToBe(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .with("angarium.enabled=false")
                .with(Orders.class)
                .failure(output))
        .contains("angarium.enabled is false");
  }

  @Test
  void inboxMustBeSwitchedOn(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .withoutTransports()
                .with(CREATE)
                .with("angarium.relay.enabled=false")
                .with(Stock.class)
                .failure(output))
        .contains("Set angarium.inbox.enabled=true.");
  }

  @Test
  void severalDataSourcesNeedAMark(CapturedOutput output) {
    assertThat(
            FirstStart.on(database).withoutTransports().with(TwoDataSources.class).failure(output))
        .contains("data sources: 2 beans, 0 of them marked with @OutboxDataSource")
        .contains("@Primary");
  }

  @Test
  void modeInThePlaceOfASchemaIsTakenForASlip(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .withoutTransports()
                .with("angarium.jdbc.schema=create")
                .with("angarium.jdbc.shema-mode=create")
                .failure(output))
        .contains("did you mean angarium.jdbc.schema-mode=create?")
        .contains(
            "angarium.jdbc.shema-mode: unknown property"
                + " (did you mean angarium.jdbc.schema-mode?)");
  }

  @Test
  void brokersWithoutAnAddressAreNamedWithAllThatCouldNameThem(CapturedOutput output) {
    assertThat(FirstStart.on(database).with(CREATE).failure(output))
        .contains("angarium.kafka.bootstrap-servers: none (expected: host:port, here or by")
        .contains("spring.kafka.bootstrap-servers, or a bean of KafkaConnectionDetails")
        .contains("or angarium.kafka.enabled=false if Kafka is not used")
        .contains("angarium.rabbitmq.addresses: none (expected: host:port or amqp://")
        .contains("spring.rabbitmq.addresses or spring.rabbitmq.host, or a bean of RabbitConn")
        .contains("angarium.rocketmq.name-servers: none (expected: host:port, here or by")
        .contains("rocketmq.name-server of rocketmq-spring")
        .contains("Correct each line above");
    assertThat(
            FirstStart.on(database)
                .with(CREATE)
                .with("angarium.enabled=false")
                .with("angarium.inbox.redis.enabled=true")
                .failure(output))
        .contains("angarium.inbox.redis.uri: none (expected: redis://")
        .contains("spring.data.redis.url or spring.data.redis.host, or a bean of RedisConn");
  }

  @Test
  void severalOutboxesAreNamed(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .with(CREATE)
                .with("angarium.relay.enabled=false")
                .with(TwoOutboxes.class, Orders.class)
                .failure(output))
        .contains("Orders", "asks for one bean of type io.angarium.Outbox.")
        .contains("There are 3: angariumOutbox, one, two.")
        .contains("@Primary", "@Qualifier(\"angariumOutbox\")", "@Bean(defaultCandidate = false)");
  }

  @Test
  void severalDatabasesAreNamed(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .with("angarium.relay.enabled=false")
                .with(TwoDatabases.class)
                .failure(output))
        .contains("AngariumAutoConfiguration")
        .contains("asks for one bean of type io.angarium.jdbc.JdbcDatabase. There are 2: one, two.")
        .contains("@Primary", "@Bean(defaultCandidate = false)");
  }

  @Test
  void withoutATransactionManagerTheStartAndTheFirstSendSaySo(CapturedOutput output) {
    try (ConfigurableApplicationContext context = withoutTransactions(CREATE).start()) {
      Sales sales = context.getBean(Sales.class);

      assertThatThrownBy(sales::sell)
          .isInstanceOf(NoTransactionException.class)
          .hasMessageContaining("no transaction is active")
          .hasMessageContaining("if there is a bean of PlatformTransactionManager");
    }

    assertThat(output.getAll())
        .contains("The outbox's data source has no transaction manager among the beans []")
        .contains("new JdbcTransactionManager(dataSource)");
    assertThat(
            withoutTransactions(CREATE)
                .with("angarium.inbox.enabled=true")
                .with("angarium.inbox.schema-mode=create")
                .failure(output))
        .contains("transaction managers: none (expected: one of the outbox's data source")
        .contains("new JdbcTransactionManager(dataSource)");
  }

  @Test
  void aLazyTransactionManagerWhoseDatabaseIsAwayDoesNotStopTheStart() {
    try (ConfigurableApplicationContext context =
        FirstStart.on(database)
            .withoutTransports()
            .with(CREATE)
            .with("angarium.relay.enabled=false")
            .with(LazyTransactions.class)
            .start()) {
      assertThat(context.isRunning()).isTrue();
    }
  }

  private FirstStart withoutTransactions(String property) {
    return FirstStart.withoutDatabase()
        .withoutTransports()
        .with(property)
        .with("angarium.relay.enabled=false")
        .with(WithoutTransactions.class, Sales.class);
  }

  @Test
  void healthyStartWarnsOfNothing(CapturedOutput output) {
    FirstStart.on(database)
        .withoutTransports()
        .with(CREATE)
        .with("angarium.relay.enabled=false")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("logging.pattern.console=%p %c: %m%n")
        .start()
        .close();

    assertThat(output.getAll().lines())
        .anyMatch(line -> line.startsWith("INFO io.angarium."))
        .noneMatch(line -> line.startsWith("WARN ") || line.startsWith("ERROR "));
  }

  @Configuration(proxyBeanMethods = false)
  static class Orders {
    Orders(Outbox outbox) {
      assertThat(outbox).isNotNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Stock {
    Stock(Inbox<?> inbox) {
      assertThat(inbox).isNotNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {
    @Bean
    DataSource orders() {
      return Database.h2().dataSource();
    }

    @Bean
    DataSource stock() {
      return Database.h2().dataSource();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoOutboxes {
    @Bean
    Outbox one() {
      return new UnusedOutbox();
    }

    @Bean
    Outbox two() {
      return new UnusedOutbox();
    }
  }

  static final class UnusedOutbox implements Outbox {
    @Override
    public MessageId send(Message message) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<MessageId> sendAll(List<Message> messages) {
      throw new UnsupportedOperationException();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {
    private static final JdbcConfig CONFIG = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

    @Bean
    JdbcDatabase one(DataSource dataSource) {
      return JdbcDatabase.open(dataSource, CONFIG);
    }

    @Bean
    JdbcDatabase two() {
      return JdbcDatabase.open(Database.h2().dataSource(), CONFIG);
    }
  }

  /** Spring Boot chooses none of them, so it defines no transaction manager. */
  @Configuration(proxyBeanMethods = false)
  static class WithoutTransactions {
    @Bean
    @OutboxDataSource
    DataSource orders() {
      return Database.h2().dataSource();
    }

    @Bean
    DataSource stock() {
      return Database.h2().dataSource();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class LazyTransactions {
    @Bean
    @Primary
    PlatformTransactionManager own(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    @Lazy
    PlatformTransactionManager away() {
      throw new IllegalStateException("its database is away");
    }
  }

  static class Sales {
    private final Outbox outbox;

    Sales(Outbox outbox) {
      this.outbox = outbox;
    }

    @Transactional
    public void sell() {
      outbox.send(Message.of("kafka:sales", "one"));
    }
  }
}
