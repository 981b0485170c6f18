package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.testservers.OnOneJdk;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

@OnOneJdk
@OnBootFour
class WrongConfigurationTest {
  private final Database database = Database.h2();

  @Test
  void everyFaultOfTheConfigurationIsListedAtOnce() {
    List<String> faults =
        faults(
            Shop.on(database)
                .withoutJpa()
                .with("angarium.relay.grace=soon")
                .with("angarium.relay.window.bytes=plenty")
                .with("angarium.retry.max-attempts=many")
                .with("angarium.on-dead=ignore")
                .with("angarium.relay.enabled=perhaps")
                .with("angarium.relay.graze=3s")
                .with("angarium.relay.poll.idle=1h")
                .with("angarium.relay.lease.ttl=1ms")
                .with("angarium.relay.sweep=5m")
                .with("angarium.partitions.keyed=0")
                .with("angarium.limits.payload=1GB")
                .with("angarium.jdbc.tables=Outbox!")
                .with("angarium.jdbc.statement-timeout=0s")
                .with("angarium.kafka.enabled=true")
                .with("angarium.kafka.bootstrap-servers=nowhere")
                .with("angarium.rabbitmq.enabled=true")
                .with("angarium.rabbitmq.addresses=some where")
                .with("angarium.rabbitmq.channels=33")
                .with("angarium.rocketmq.enabled=true")
                .with("angarium.rocketmq.name-servers=nowhere")
                .with("angarium.rocketmq.message-max=0B")
                .with("angarium.rocketmq.transactions.enabled=true")
                .with("angarium.rocketmq.transactions.retries=3")
                .with("angarium.http.hooks.orders.url=nowhere")
                .with("angarium.http.hooks.orders.secrets=hush")
                .with("angarium.http.hooks.orders.speed=high")
                .with("angarium.http.allowed-hosts=*.example")
                .with("angarium.http.timeout=1h")
                .with("angarium.http.in-flight=0")
                .with("angarium.retention.markers=1d"));

    assertThat(faults)
        .anyMatch(f -> f.startsWith("angarium.retention.markers: 1d (expected: "))
        .anyMatch(f -> f.startsWith("angarium.relay.grace: soon (expected: a duration"))
        .anyMatch(f -> f.startsWith("angarium.relay.window.bytes: plenty (expected: a size"))
        .anyMatch(f -> f.startsWith("angarium.retry.max-attempts: many (expected: a whole number"))
        .anyMatch(f -> f.startsWith("angarium.on-dead: ignore (expected: [skip, block_key])"))
        .anyMatch(f -> f.startsWith("angarium.relay.enabled: perhaps (expected: true or false)"))
        .anyMatch(f -> f.startsWith("angarium.relay.graze: unknown property"))
        .anyMatch(f -> f.startsWith("angarium.relay.poll.idle: 1h (expected: "))
        .anyMatch(f -> f.startsWith("angarium.relay.lease.ttl: 1ms (expected: "))
        .anyMatch(f -> f.startsWith("angarium.relay.sweep: removed in 0.2.0 (it is 1m; "))
        .anyMatch(f -> f.startsWith("angarium.partitions.keyed: 0 (expected: 1..1024)"))
        .anyMatch(f -> f.startsWith("angarium.limits.payload: "))
        .anyMatch(f -> f.startsWith("angarium.jdbc.tables: Outbox! (expected: "))
        .anyMatch(f -> f.startsWith("angarium.jdbc.statement-timeout: 0s (expected: "))
        .anyMatch(f -> f.startsWith("angarium.kafka.bootstrap-servers: "))
        .anyMatch(f -> f.startsWith("angarium.rabbitmq.addresses: "))
        .anyMatch(f -> f.startsWith("angarium.rabbitmq.channels: 33 (expected: 1..32)"))
        .anyMatch(f -> f.startsWith("angarium.rocketmq.name-servers: "))
        .anyMatch(f -> f.startsWith("angarium.rocketmq.message-max: 0 (expected: "))
        .anyMatch(f -> f.startsWith("angarium.http.hooks.orders.url: 'nowhere' (expected: "))
        .anyMatch(f -> f.startsWith("angarium.http.hooks.orders.secrets[0]: a secret (expected: "))
        .anyMatch(f -> f.startsWith("angarium.http.hooks.orders.speed: unknown property"))
        .anyMatch(f -> f.startsWith("angarium.http.allowed-hosts: '*.example' (expected: "))
        .anyMatch(f -> f.startsWith("angarium.http.timeout: 1h (expected: "))
        .anyMatch(f -> f.startsWith("angarium.http.in-flight: 0 (expected: "))
        .anyMatch(f -> f.startsWith("angarium.rocketmq.transactions.retries: unknown property"))
        .hasSize(26);
  }

  @Test
  void everyFaultOfTheInboxOnRedisIsListed() {
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.enabled=false")
            .with("angarium.inbox.redis.enabled=true")
            .with("angarium.inbox.redis.uri=no where:secret")
            .with("angarium.inbox.redis.prefix=a:b")
            .with("angarium.inbox.redis.lease=1s")
            .with("angarium.inbox.redis.retention=1h")
            .with("angarium.inbox.redis.when-busy=later")
            .with("angarium.inbox.redis.leash=1s");

    assertThat(faults(shop))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.uri: an address that cannot be read"))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.prefix: a:b (expected: "))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.lease: 1s (expected: "))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.retention: 1h (expected: "))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.when-busy: later (expected: "))
        .anyMatch(f -> f.startsWith("angarium.inbox.redis.leash: unknown property"))
        .noneMatch(f -> f.contains("secret"))
        .hasSize(6);
  }

  @Test
  void redisThatIsNotNamedOrCannotBeUnderstoodIsAFault() {
    assertThat(faults(shopWithRedis()))
        .singleElement()
        .asString()
        .startsWith("angarium.inbox.redis.uri: none (expected: redis://");
    assertThat(faults(shopWithRedis().with("spring.data.redis.sentinel.master=m")))
        .singleElement()
        .asString()
        .startsWith("angarium.inbox.redis.uri: not set, and of sentinels the master is 'm'")
        .contains("the nodes are []", "spring.data.redis.sentinel.nodes");
    assertThat(
            faults(
                shopWithRedis()
                    .with("spring.data.redis.sentinel.master=")
                    .with("spring.data.redis.sentinel.nodes=one:26379")))
        .singleElement()
        .asString()
        .startsWith("angarium.inbox.redis.uri: not set, and of sentinels the master is ''");
  }

  private Shop shopWithRedis() {
    return Shop.on(database)
        .withoutJpa()
        .with("angarium.enabled=false")
        .with("angarium.inbox.redis.enabled=true");
  }

  @Test
  void transactionsInTheGroupOfTheTransportAreAFault() {
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.rocketmq.enabled=true")
            .with("angarium.rocketmq.name-servers=localhost:9876")
            .with("angarium.rocketmq.producer-group=shop")
            .with("angarium.rocketmq.transactions.enabled=true")
            .with("angarium.rocketmq.transactions.producer-group=shop");

    assertThat(faults(shop))
        .singleElement()
        .asString()
        .startsWith("angarium.rocketmq.transactions.producer-group: 'shop' (expected: another");
  }

  @Test
  void transactionsWithoutNameServersAreAFault() {
    assertThat(
            faults(
                Shop.on(database).withoutJpa().with("angarium.rocketmq.transactions.enabled=true")))
        .singleElement()
        .asString()
        .startsWith("angarium.rocketmq.name-servers: ");
  }

  @Test
  void kafkaWithoutServersIsAFault() {
    assertThat(faults(Shop.on(database).withoutJpa().with("angarium.kafka.enabled=true")))
        .singleElement()
        .asString()
        .startsWith("angarium.kafka.bootstrap-servers: ");
  }

  @Test
  void unknownDefaultTransportIsAFault() {
    assertThat(
            faults(Shop.on(database).withoutJpa().with("angarium.relay.default-transport=pigeon")))
        .singleElement()
        .asString()
        .contains("pigeon", "[mailbox]");
  }

  @Test
  void missingTablesStopTheStart() {
    assertThat(faults(Shop.on(database).withoutJpa().with("angarium.jdbc.schema-mode=validate")))
        .singleElement()
        .asString()
        .contains("outbox_lease", "V1__outbox.sql", "angarium.jdbc.schema-mode=create");
  }

  @Test
  void missingTablesOfOutboxAndInboxAreListedTogether() {
    assertThat(
            faults(
                Shop.on(database)
                    .withoutJpa()
                    .with("angarium.jdbc.schema-mode=validate")
                    .with("angarium.inbox.enabled=true")))
        .hasSize(2)
        .anyMatch(fault -> fault.contains("feature outbox: none of its tables"))
        .anySatisfy(
            fault ->
                assertThat(fault)
                    .contains("feature inbox: none of its tables", "inbox_schema")
                    .contains("V1__inbox.sql", "angarium.inbox.schema-mode=create"));
  }

  @Test
  void missingTablesOfFeaturesThatAreOnStopTheStartAtOnce() {
    Shop.on(database).withoutJpa().start().close();

    assertThat(
            faults(
                Shop.on(database)
                    .withoutJpa()
                    .with("angarium.jdbc.schema-mode=validate")
                    .with("angarium.half.enabled=true")
                    .with("angarium.half.check.markers=order")
                    .with("angarium.confirmation.destinations=mailbox:orders")))
        .hasSize(3)
        .anyMatch(fault -> fault.contains("feature half: none of its tables"))
        .anyMatch(fault -> fault.contains("feature marker: none of its tables"))
        .anyMatch(fault -> fault.contains("feature confirmation: none of its tables"));
  }

  @Test
  void featuresThatAreOffHaveNoTables() {
    Shop.on(database).withoutJpa().start().close();

    try (var shop =
        Shop.on(database).withoutJpa().with("angarium.jdbc.schema-mode=validate").start()) {
      JdbcDatabase opened = shop.getBean(JdbcDatabase.class);
      assertThat(SchemaFeature.values())
          .filteredOn(feature -> feature != SchemaFeature.INBOX && opened.has(feature))
          .containsExactly(SchemaFeature.OUTBOX);
    }
  }

  @Test
  void tableOfAnotherFormStopsTheStart() {
    Shop.on(database).withoutJpa().start().close();
    database.jdbc().execute("ALTER TABLE outbox DROP COLUMN headers");

    assertThat(faults(Shop.on(database).withoutJpa()))
        .singleElement()
        .asString()
        .contains("outbox", "headers");
  }

  @Test
  void databaseThatCannotBeReachedStopsTheStart() {
    Database nowhere = new Database("jdbc:postgresql://127.0.0.1:1/none", "none", "none");

    Throwable failure =
        failure(
            Shop.on(nowhere).withoutJpa().with("spring.datasource.hikari.connection-timeout=1000"));

    assertThat(cause(failure, StoreException.class))
        .hasMessageContaining("check that it runs and that URL, user and password are right");
  }

  static List<String> faults(Shop shop) {
    return cause(failure(shop), ConfigurationException.class).faults();
  }

  private static Throwable failure(Shop shop) {
    Throwable failure =
        catchThrowable(
            () -> {
              try (ConfigurableApplicationContext context = shop.start()) {
                assertThat(context.isRunning()).isTrue();
              }
            });
    assertThat(failure).as("start with a wrong configuration").isNotNull();
    return failure;
  }

  private static <T extends Throwable> T cause(Throwable failure, Class<T> type) {
    Throwable found = failure;
    while (found != null && !type.isInstance(found)) {
      found = found.getCause();
    }
    assertThat(found).as("%s in %s", type.getSimpleName(), failure).isNotNull();
    return type.cast(found);
  }
}
