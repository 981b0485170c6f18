package io.angarium.tests.modulith;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.NoTransactionException;
import io.angarium.tests.modulith.shop.orders.OrderPlaced;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class ExternalizedEventsTest {
  private static final int THREADS = 4;
  private static final int ORDERS_PER_THREAD = 100;

  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  private RunningShop start(String... more) {
    return RunningShop.start(database, EventTopics.kafka().bootstrapServers(), more);
  }

  @Test
  void eventsOfOneKeyArriveInTheOrderOfTheirTransactions() throws Exception {
    List<String> customers = List.of("ada", "bob");
    try (RunningShop shop = start()) {
      customers.forEach(shop.orders()::add);

      placeAtOnce(shop, customers);

      shop.awaitSent();
    }
    List<Long> all =
        LongStream.rangeClosed(1, (long) THREADS / 2 * ORDERS_PER_THREAD).boxed().toList();
    for (String topic : List.of(EventTopics.ORDERS, EventTopics.STOCK)) {
      for (String customer : customers) {
        assertThat(EventTopics.numbers(topic, customer)).isEqualTo(all);
      }
    }
  }

  private static void placeAtOnce(RunningShop shop, List<String> customers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> placing = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String customer = customers.get(i % customers.size());
        placing.add(threads.submit(() -> place(shop, customer)));
      }
      for (Future<?> each : placing) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void place(RunningShop shop, String customer) {
    for (int i = 0; i < ORDERS_PER_THREAD; i++) {
      shop.orders().place(customer);
    }
  }

  @Test
  void eventsOfSeveralModulesGoWithTheOneTransactionOrNotAtAll() {
    try (RunningShop shop = start()) {
      shop.orders().add("carl");

      shop.orders().place("carl");
      shop.transactions()
          .executeWithoutResult(
              status -> {
                shop.orders().place("carl");
                status.setRollbackOnly();
              });
      shop.transactions()
          .executeWithoutResult(
              status -> {
                shop.orders().place("carl");
                shop.orders().place("carl");
              });

      shop.awaitSent();
      assertThat(shop.rows("orders")).isEqualTo(3);
      assertThat(shop.rows("reservations")).isEqualTo(3);
    }
    assertThat(EventTopics.numbers(EventTopics.ORDERS, "carl")).containsExactly(1L, 2L, 3L);
    assertThat(EventTopics.numbers(EventTopics.STOCK, "carl")).containsExactly(1L, 2L, 3L);
  }

  @Test
  void anEventIsOneRowOfTheOutboxAndNoPublicationOfSpringModulith() {
    try (RunningShop shop = start("--angarium.relay.enabled=false")) {
      shop.orders().add("dora");

      shop.orders().place("dora");

      assertThat(shop.rows("outbox")).isEqualTo(2);
      assertThat(
              shop.jdbc().queryForList("SELECT listener_id FROM event_publication", String.class))
          .singleElement()
          .asString()
          .contains("Mails.on");
    }
  }

  @Test
  void moduleListenersHearTheSameEvents() {
    try (RunningShop shop = start()) {
      shop.orders().add("eve");

      shop.orders().place("eve");

      Waiting.until(() -> shop.rows("mails") == 1, "the mail");
      shop.awaitSent();
    }
    assertThat(EventTopics.numbers(EventTopics.ORDERS, "eve")).containsExactly(1L);
  }

  @Test
  void theBytesAreWhatTheApplicationsMapperWrites() {
    try (RunningShop shop = start("--spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE")) {
      shop.orders().add("fred");
      shop.orders().place("fred");
      shop.awaitSent();
    }
    ConsumerRecord<String, String> record =
        EventTopics.records(EventTopics.STOCK).stream()
            .filter(each -> each.key().equals("fred"))
            .findFirst()
            .orElseThrow();
    assertThat(record.value()).isEqualTo("{\"Customer\":\"fred\",\"Number\":1}");
    assertThat(record.headers().lastHeader("content-type").value())
        .asString(UTF_8)
        .isEqualTo("application/json");
  }

  @Test
  void anEventOutsideATransactionIsRefused() {
    try (RunningShop shop = start("--angarium.relay.enabled=false")) {
      assertThatThrownBy(() -> shop.context().publishEvent(new OrderPlaced("gus", 1)))
          .isInstanceOf(NoTransactionException.class)
          .hasMessageContaining(OrderPlaced.class.getName())
          .hasMessageContaining("no transaction is active");
      assertThat(shop.rows("outbox")).isZero();
    }
  }
}
