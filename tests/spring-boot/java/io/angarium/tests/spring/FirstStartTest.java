package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Outbox;
import io.angarium.inbox.Inbox;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a user reads whose first start goes wrong: which setting, what is wrong, what to do. */
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
  void brokerWithoutAnAddressIsNamed(CapturedOutput output) {
    assertThat(
            FirstStart.on(database)
                .with(CREATE)
                .with("angarium.rabbitmq.enabled=false")
                .with("angarium.rocketmq.enabled=false")
                .failure(output))
        .contains("angarium.kafka.bootstrap-servers: ")
        .contains("Correct each line above");
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
}
