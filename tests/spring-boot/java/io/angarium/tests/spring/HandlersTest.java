package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.handler.Delivery;
import io.angarium.handler.HandlerTransport;
import io.angarium.handler.OutboxHandler;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Handlers of the own application; they consume and produce in one transaction. */
@OnBootFour
class HandlersTest {
  @Test
  void handlerConsumesAndProducesInOneTransactionOnH2() throws InterruptedException {
    check(Database.h2().withOrders());
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void handlerConsumesAndProducesInOneTransactionOnPostgres() throws InterruptedException {
    check(Database.postgres().withOrders());
  }

  @Test
  @RequiresServer(Server.MARIADB)
  void handlerConsumesAndProducesInOneTransactionOnMariaDb() throws InterruptedException {
    check(Database.mariaDb().withOrders());
  }

  private static void check(Database database) throws InterruptedException {
    try (ConfigurableApplicationContext context = shop(database).start()) {
      Outbox outbox = context.getBean(Outbox.class);
      TransactionTemplate transactions =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

      transactions.executeWithoutResult(
          status -> {
            for (int id = 1; id <= 20; id++) {
              outbox.send(
                  Message.of("handler:reserve", ("" + id).getBytes(StandardCharsets.UTF_8))
                      .key("key-" + id % 3));
            }
          });

      Mailbox mailbox = context.getBean(Mailbox.class);
      for (int i = 0; i < 20; i++) {
        assertThat(mailbox.next()).isNotNull();
      }
      assertThat(database.orders()).hasSize(20).doesNotHaveDuplicates();
      assertThat(context.getBean(Reserve.class).failures.get()).isEqualTo(4);
    }
  }

  private static Shop shop(Database database) {
    return Shop.on(database)
        .withoutJpa()
        .with(Handlers.class)
        .with("angarium.relay.default-transport=mailbox")
        .with("angarium.retry.first-pause=100ms")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create");
  }

  @Configuration(proxyBeanMethods = false)
  static class Handlers {
    @Bean
    Reserve reserve(JdbcTemplate jdbc, Outbox outbox) {
      return new Reserve(jdbc, outbox);
    }
  }

  /** Writes, sends, and then fails at every fifth order the first time. */
  static final class Reserve implements OutboxHandler<Connection> {
    private final JdbcTemplate jdbc;
    private final Outbox outbox;
    private final AtomicInteger failures = new AtomicInteger();

    Reserve(JdbcTemplate jdbc, Outbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Override
    public String name() {
      return "reserve";
    }

    @Override
    public void handle(Connection transaction, Delivery delivery) {
      String id = new String(delivery.message().payload(), StandardCharsets.UTF_8);
      jdbc.update("INSERT INTO orders (id, state) VALUES (?, 'new')", Long.valueOf(id));
      outbox.send(Message.of("mailbox:reserved", delivery.message().payload()));
      if (Long.parseLong(id) % 5 == 0 && delivery.failures() == 0) {
        failures.incrementAndGet();
        throw new IllegalStateException("planned");
      }
    }
  }

  @Test
  void handlersNeedAnInbox() {
    Shop shop = Shop.on(Database.h2()).withoutJpa().with(Handlers.class);

    assertThatThrownBy(shop::start)
        .rootCause()
        .hasMessageContainingAll("angarium.inbox.enabled", "OutboxHandler");
  }

  @Test
  void withoutAHandlerThereIsNoSuchTransport() {
    try (ConfigurableApplicationContext context =
        Shop.on(Database.h2()).withoutJpa().with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create").start()) {
      assertThat(context.getBeanNamesForType(HandlerTransport.class)).isEmpty();
    }
  }
}
