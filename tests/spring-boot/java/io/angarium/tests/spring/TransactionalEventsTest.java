package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

@OnBootFour
class TransactionalEventsTest {
  private final Database database = Database.h2();

  @Test
  void listenersBeforeTheCommitMaySendAndThoseAfterItNeedATransactionOfTheirOwn() {
    Mailbox mailbox;
    Listeners listeners;
    try (ConfigurableApplicationContext context =
        Shop.on(database).withoutJpa().with(Listening.class).start()) {
      mailbox = context.getBean(Mailbox.class);
      listeners = context.getBean(Listeners.class);
      PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
      ApplicationEventPublisher events = context;

      new TransactionTemplate(manager)
          .executeWithoutResult(status -> events.publishEvent(new Paid(1)));
      new TransactionTemplate(manager)
          .executeWithoutResult(
              status -> {
                events.publishEvent(new Paid(2));
                status.setRollbackOnly();
              });
    }

    assertThat(mailbox.keys()).containsExactlyInAnyOrder("before 1", "new 1");
    assertThat(listeners.refusals)
        .singleElement()
        .satisfies(refusal -> assertThat(refusal).hasMessageContaining("it has ended already"));
    assertThat(database.unsent()).isZero();
  }

  record Paid(long order) {}

  static class Listeners {
    private final Outbox outbox;
    private final TransactionTemplate another;
    private final List<NoTransactionException> refusals = new ArrayList<>();

    Listeners(Outbox outbox, PlatformTransactionManager manager) {
      this.outbox = outbox;
      this.another = new TransactionTemplate(manager);
      another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    public void beforeCommit(Paid paid) {
      send("before " + paid.order());
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
    public void afterCommit(Paid paid) {
      try {
        send("after " + paid.order());
      } catch (NoTransactionException e) {
        refusals.add(e);
      }
      another.executeWithoutResult(status -> send("new " + paid.order()));
    }

    private void send(String key) {
      outbox.send(Message.of("mailbox:paid", new byte[0]).key(key));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Listening {
    @Bean
    Listeners listeners(Outbox outbox, PlatformTransactionManager manager) {
      return new Listeners(outbox, manager);
    }
  }
}
