package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Outbox;
import io.angarium.spring.operate.RelayLifecycle;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ContextLifeTest {
  private final Database database = Database.h2().withOrders();
  private final Shop shop = Shop.on(database).withoutJpa().with(Styles.Jdbc.class);

  @Test
  void closeSendsWhatWasCommitted() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context = shop.start()) {
      mailbox = context.getBean(Mailbox.class);
      Orders orders = context.getBean(Orders.class);
      LongStream.rangeClosed(1, 100).forEach(orders::place);
    }

    List<String> expected = LongStream.rangeClosed(1, 100).mapToObj(id -> "order " + id).toList();
    assertThat(mailbox.keys()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(database.unsent()).isZero();
  }

  @Test
  void requestThatTheWebServerFinishesWhileStoppingIsStillSent() {
    Mailbox mailbox;
    try (ConfigurableApplicationContext context = shop.with(LastRequest.class).start()) {
      mailbox = context.getBean(Mailbox.class);
    }

    assertThat(mailbox.keys()).containsExactly("order 7");
    assertThat(database.unsent()).isZero();
  }

  @Test
  void closeLeavesWhatTheBrokerDidNotTakeForTheNextStart() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.relay.close-timeout=0s").start()) {
      context.getBean(Mailbox.class).down(true);
      context.getBean(Orders.class).place(1);
    }
    assertThat(database.unsent()).isEqualTo(1);

    try (ConfigurableApplicationContext context = shop.start()) {
      assertThat(context.getBean(Mailbox.class).next().message().key()).isEqualTo("order 1");
    }

    assertThat(database.unsent()).isZero();
  }

  @Test
  void contextThatIsStoppedAndStartedRelaysAgain() {
    try (ConfigurableApplicationContext context = shop.start()) {
      Mailbox mailbox = context.getBean(Mailbox.class);
      context.stop();
      assertThat(context.getBean(RelayLifecycle.class).isRunning()).isFalse();
      context.getBean(Orders.class).place(1);
      assertThat(mailbox.keys()).isEmpty();

      context.start();

      assertThat(mailbox.next().message().key()).isEqualTo("order 1");
      context.getBean(Orders.class).place(2);
      assertThat(mailbox.next().message().key()).isEqualTo("order 2");
    }
  }

  @Test
  void onlyKeepAliveKeepsAnApplicationWithoutAWebServerRunning() {
    Set<Thread> before = threadsThatKeepTheJvmRunning();
    try (ConfigurableApplicationContext context = shop.start()) {
      assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
      assertThat(threadsThatKeepTheJvmRunning()).isSubsetOf(before);
    }

    try (ConfigurableApplicationContext context =
        shop.with("spring.main.keep-alive=true").start()) {
      assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
      assertThat(threadsThatKeepTheJvmRunning())
          .filteredOn(thread -> !before.contains(thread))
          .extracting(Thread::getName)
          .containsExactly("keep-alive");
    }
  }

  private static Set<Thread> threadsThatKeepTheJvmRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .collect(Collectors.toSet());
  }

  @Test
  void withoutARelayMessagesWaitInTheDatabase() {
    try (ConfigurableApplicationContext context =
        shop.with("angarium.relay.enabled=false").start()) {
      context.getBean(Orders.class).place(1);

      assertThat(context.getBeanProvider(RelayLifecycle.class).getIfAvailable()).isNull();
    }
    assertThat(database.unsent()).isEqualTo(1);
  }

  @Test
  void switchedOffThereIsNothing() {
    try (ConfigurableApplicationContext context =
        Shop.on(database).withoutJpa().with("angarium.enabled=false").start()) {
      assertThat(context.getBeanProvider(Outbox.class).getIfAvailable()).isNull();
      assertThat(context.getBeanProvider(RelayLifecycle.class).getIfAvailable()).isNull();
    }
  }

  @Test
  void relayedMessageNamesTheApplicationAsCreator() {
    try (ConfigurableApplicationContext context = shop.start()) {
      context.getBean(Orders.class).place(1);

      assertThat(context.getBean(Mailbox.class).next().message().createdBy()).isEqualTo("shop");
    }
  }

  /** Serves its last request in the phase in which web servers stop. */
  @Configuration(proxyBeanMethods = false)
  static class LastRequest {
    @Bean
    SmartLifecycle webServer(Orders orders) {
      return new SmartLifecycle() {
        private boolean running;

        @Override
        public void start() {
          running = true;
        }

        @Override
        public void stop() {
          orders.place(7);
          running = false;
        }

        @Override
        public boolean isRunning() {
          return running;
        }

        @Override
        public int getPhase() {
          return SmartLifecycle.DEFAULT_PHASE - 2048;
        }
      };
    }
  }
}
