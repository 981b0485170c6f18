package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

/** JPA writes its changes late: messages must still get their order from the row locks. */
abstract class KeyOrderContract {
  private static final long GENEROUS_SECONDS = 60;

  abstract Database newDatabase();

  @Test
  void messagesOfOneAggregateHaveTheOrderOfItsRowLocks() throws Exception {
    Database database = newDatabase().withOrders();
    database.jdbc().update("INSERT INTO orders VALUES (1, 'new')");
    try (ConfigurableApplicationContext context =
        Shop.on(database).with(Styles.Jpa.class).with("angarium.relay.enabled=false").start()) {
      Change change = new Change(context);
      SecondInTheGap gap = new SecondInTheGap(() -> change.run("second"));
      context.getBean(JpaTransactionManager.class).addListener(gap);

      change.run("first");
      gap.second.get(GENEROUS_SECONDS, TimeUnit.SECONDS);
    }

    String last =
        database
            .jdbc()
            .queryForObject(
                "SELECT message_type FROM outbox WHERE id = (SELECT MAX(id) FROM outbox)",
                String.class);
    String state = database.jdbc().queryForObject("SELECT state FROM orders", String.class);
    assertThat(database.unsent()).isEqualTo(2);
    assertThat(last).as("the last message tells of the last change").isEqualTo(state);
  }

  /** Changes the order and tells of it; the message is sent before JPA writes the change. */
  private record Change(
      TransactionTemplate transactions, EntityManagerFactory factory, Outbox outbox) {
    Change(ConfigurableApplicationContext context) {
      this(
          new TransactionTemplate(context.getBean(JpaTransactionManager.class)),
          context.getBean(EntityManagerFactory.class),
          context.getBean(Outbox.class));
    }

    void run(String state) {
      transactions.executeWithoutResult(
          status -> {
            EntityManager manager =
                EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
            manager.find(OrderRow.class, 1L).state(state);
            outbox.send(Message.of("mailbox:orders", new byte[0]).key("1").type(state));
          });
    }
  }

  /**
   * Runs a second transaction after the first has written its messages and before it commits. The
   * second must wait for the row lock of the first, if that has it; a second is time enough for one
   * that need not wait.
   */
  private static final class SecondInTheGap implements TransactionExecutionListener {
    private final Runnable work;
    private CompletableFuture<Void> second = new CompletableFuture<>();
    private boolean began;

    SecondInTheGap(Runnable work) {
      this.work = work;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
      synchronized (this) {
        if (began) {
          return;
        }
        began = true;
      }
      second = CompletableFuture.runAsync(work);
      try {
        second.get(2, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        // as it should be: it waits for the first
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
