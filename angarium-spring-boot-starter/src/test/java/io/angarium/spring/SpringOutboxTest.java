package io.angarium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class SpringOutboxTest {
  private final OutboxBench bench = new OutboxBench();
  private final SpringOutbox outbox = bench.outbox();
  private final TransactionTemplate tx = bench.transactions();

  private TransactionTemplate tx(int propagation) {
    TransactionTemplate template = bench.transactions();
    template.setPropagationBehavior(propagation);
    return template;
  }

  private void send(String destination) {
    outbox.send(Message.of(destination, new byte[] {1}));
  }

  @Test
  void messagesAreWrittenByOneCallBeforeTheCommitAndHandedOverAfterIt() {
    tx.executeWithoutResult(
        status -> {
          send("a");
          outbox.sendAll(
              List.of(Message.of("b", new byte[0]), Message.of("c", new byte[0]).key("k")));
          assertThat(bench.inserts()).isZero();
          assertThat(bench.handedOver()).isEmpty();
        });

    assertThat(bench.written()).containsExactly("a", "b", "c");
    assertThat(bench.inserts()).isEqualTo(1);
    assertThat(bench.handedOver()).containsExactly("a", "b", "keyed");
  }

  @Test
  void rolledBackTransactionLeavesNothing() {
    tx.executeWithoutResult(
        status -> {
          bench.business("x");
          send("a");
          status.setRollbackOnly();
        });

    assertThat(bench.inserts()).isZero();
    assertThat(bench.written()).isEmpty();
    assertThat(bench.handedOver()).isEmpty();
    assertThat(bench.businessRows()).isEmpty();
  }

  @Test
  void transactionAfterARolledBackOneStartsWithoutItsMessages() {
    tx.executeWithoutResult(
        status -> {
          send("a");
          status.setRollbackOnly();
        });

    tx.executeWithoutResult(status -> send("b"));

    assertThat(bench.written()).containsExactly("b");
  }

  @Test
  void sendingWithoutATransactionIsRefused() {
    assertThatThrownBy(() -> send("a"))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("no transaction is active")
        .hasMessageContaining("@Transactional");
    assertThatThrownBy(
            () ->
                tx(TransactionDefinition.PROPAGATION_SUPPORTS)
                    .executeWithoutResult(status -> send("a")))
        .isInstanceOf(NoTransactionException.class);
    assertThat(bench.written()).isEmpty();
  }

  @Test
  void sendingFromAnotherThreadIsRefused() {
    tx.executeWithoutResult(
        status ->
            assertThat(CompletableFuture.runAsync(() -> send("a")))
                .failsWithin(OutboxBench.GENEROUS)
                .withThrowableThat()
                .withCauseInstanceOf(NoTransactionException.class));

    assertThat(bench.written()).isEmpty();
  }

  @Test
  void sendingInAReadOnlyTransactionIsRefused() {
    tx.setReadOnly(true);

    assertThatThrownBy(() -> tx.executeWithoutResult(status -> send("a")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void sendingInATransactionOfAnotherDataSourceIsRefused() {
    DataSource other = OutboxBench.newDatabase();
    DataSourceTransactionManager manager = new DataSourceTransactionManager(other);
    manager.addListener(new OutboxTransactions());
    TransactionTemplate foreign = new TransactionTemplate(manager);

    assertThatThrownBy(
            () ->
                foreign.executeWithoutResult(
                    status -> {
                      bench.business("binds a connection of ours, in auto-commit mode");
                      send("a");
                    }))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("not one of the outbox's data source");
    assertThat(bench.written()).isEmpty();
  }

  @Test
  void transactionOfAnotherDataSourceWithinOursDoesNotTakeOurMessages() {
    DataSourceTransactionManager manager =
        new DataSourceTransactionManager(OutboxBench.newDatabase());
    manager.addListener(new OutboxTransactions());

    tx.executeWithoutResult(
        status -> {
          send("a");
          new TransactionTemplate(manager)
              .executeWithoutResult(
                  inner ->
                      assertThatThrownBy(() -> send("b"))
                          .isInstanceOf(NoTransactionException.class));
          assertThat(bench.inserts()).isZero();
          send("c");
        });

    assertThat(bench.written()).containsExactly("a", "c");
  }

  @Test
  void sendingInATransactionThatNobodyWatchesIsRefused() {
    TransactionTemplate unwatched =
        new TransactionTemplate(new DataSourceTransactionManager(bench.dataSource()));

    assertThatThrownBy(() -> unwatched.executeWithoutResult(status -> send("a")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("addListener(new OutboxTransactions())");
  }

  @Test
  void listenerAddedTwiceWritesOnce() {
    bench.manager().addListener(new OutboxTransactions());

    tx.executeWithoutResult(status -> send("a"));

    assertThat(bench.written()).containsExactly("a");
  }

  @Test
  void newTransactionWithinKeepsItsOwnMessages() {
    tx.executeWithoutResult(
        outer -> {
          send("outer 1");
          tx(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
              .executeWithoutResult(inner -> send("inner"));
          assertThat(bench.handedOver()).containsExactly("inner");
          send("outer 2");
          outer.setRollbackOnly();
        });

    assertThat(bench.written()).containsExactly("inner");
  }

  @Test
  void rollbackOfANewTransactionWithinLeavesTheOuterMessages() {
    tx.executeWithoutResult(
        outer -> {
          send("outer 1");
          tx(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
              .executeWithoutResult(
                  inner -> {
                    send("inner");
                    inner.setRollbackOnly();
                  });
          send("outer 2");
        });

    assertThat(bench.written()).containsExactly("outer 1", "outer 2");
  }

  @Test
  void suspendedTransactionTakesNoMessages() {
    tx.executeWithoutResult(
        outer -> {
          tx(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
              .executeWithoutResult(
                  none ->
                      assertThatThrownBy(() -> send("none"))
                          .isInstanceOf(NoTransactionException.class));
          send("outer");
        });

    assertThat(bench.written()).containsExactly("outer");
  }

  @Test
  void rolledBackNestedTransactionTakesItsMessagesAlong() {
    TransactionTemplate nested = tx(TransactionDefinition.PROPAGATION_NESTED);

    tx.executeWithoutResult(
        outer -> {
          send("1");
          nested.executeWithoutResult(
              first -> {
                send("lost");
                nested.executeWithoutResult(second -> send("lost too"));
                first.setRollbackOnly();
              });
          send("2");
          nested.executeWithoutResult(third -> send("3"));
          assertThat(bench.inserts()).isZero();
        });

    assertThat(bench.written()).containsExactly("1", "2", "3");
  }

  @Test
  void savepointMayBeRolledBackTwice() {
    tx.executeWithoutResult(
        status -> {
          send("1");
          Object savepoint = status.createSavepoint();
          send("lost");
          Object later = status.createSavepoint();
          send("lost too");
          status.rollbackToSavepoint(later);
          status.rollbackToSavepoint(savepoint);
          send("lost as well");
          status.rollbackToSavepoint(savepoint);
          send("2");
        });

    assertThat(bench.written()).containsExactly("1", "2");
  }

  @Test
  void callbacksBeforeTheCommitMaySend() {
    tx.executeWithoutResult(
        status -> {
          register(
              new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                  bench.business("late");
                  send("before commit");
                  register(
                      new TransactionSynchronization() {
                        @Override
                        public void beforeCompletion() {
                          send("before completion");
                        }
                      });
                }
              });
        });

    assertThat(bench.written()).containsExactly("before commit", "before completion");
    assertThat(bench.handedOver()).hasSize(2);
  }

  @Test
  void callbacksAfterTheCommitAreRefusedUnlessTheyBeginATransaction() {
    List<Throwable> refusals = Collections.synchronizedList(new ArrayList<>());
    TransactionSynchronization late =
        new TransactionSynchronization() {
          @Override
          public int getOrder() {
            return HIGHEST_PRECEDENCE;
          }

          @Override
          public void afterCommit() {
            refused(() -> send("after commit"), refusals);
            tx(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                .executeWithoutResult(status -> send("own transaction"));
            refused(() -> send("after commit"), refusals);
          }

          @Override
          public void afterCompletion(int status) {
            refused(() -> send("after completion"), refusals);
          }
        };

    tx.executeWithoutResult(status -> register(late));

    assertThat(refusals)
        .hasSize(3)
        .allSatisfy(e -> assertThat(e).isInstanceOf(NoTransactionException.class));
    assertThat(refusals.get(0)).hasMessageContaining("has ended already");
    assertThat(bench.written()).containsExactly("own transaction");
  }

  @Test
  void failingInsertRollsTheBusinessBack() {
    bench.failNextInsert("disk full");

    assertThatThrownBy(
            () ->
                tx.executeWithoutResult(
                    status -> {
                      bench.business("x");
                      send("a");
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("disk full");

    assertThat(bench.businessRows()).isEmpty();
    assertThat(bench.handedOver()).isEmpty();
    tx.executeWithoutResult(status -> send("b"));
    assertThat(bench.written()).containsExactly("b");
  }

  @Test
  void invalidMessageOfSeveralLeavesNone() {
    Message tooLong = Message.of("a", new byte[0]).key("k".repeat(1_000));

    tx.executeWithoutResult(
        status -> {
          assertThatThrownBy(() -> outbox.sendAll(List.of(Message.of("a", new byte[0]), tooLong)))
              .isInstanceOf(InvalidMessageException.class);
          assertThatThrownBy(() -> outbox.send(null)).isInstanceOf(InvalidMessageException.class);
        });

    assertThat(bench.written()).isEmpty();
  }

  @Test
  void moreMessagesThanATransactionMayHoldAreRefused() {
    List<Message> many =
        Collections.nCopies(
            SpringOutbox.MESSAGES_PER_TRANSACTION_MAX, Message.of("a", new byte[0]));

    tx.executeWithoutResult(
        status -> {
          outbox.sendAll(many);
          assertThatThrownBy(() -> send("b"))
              .isInstanceOf(InvalidMessageException.class)
              .hasMessageContaining("10001 (expected: at most 10000)");
          status.setRollbackOnly();
        });
  }

  @Test
  void outboxOnATransactionAwareProxyUsesTheSourceBehindIt() {
    SpringOutbox proxied = bench.outbox(new TransactionAwareDataSourceProxy(bench.dataSource()));

    tx.executeWithoutResult(status -> proxied.send(Message.of("a", new byte[0])));

    assertThat(bench.written()).containsExactly("a");
  }

  @Test
  void severalOutboxesOfOneDataSourceShareTheTransaction() {
    SpringOutbox second = bench.outbox(bench.dataSource());

    tx.executeWithoutResult(
        status -> {
          send("a");
          second.send(Message.of("b", new byte[0]));
          send("c");
        });

    assertThat(bench.written()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(bench.inserts()).isEqualTo(2);
  }

  @Test
  void plainJdbcTemplateSeesTheSameTransaction() {
    tx.executeWithoutResult(
        status -> {
          new JdbcTemplate(bench.dataSource()).update("INSERT INTO business VALUES ('x')");
          send("a");
        });

    assertThat(bench.businessRows()).containsExactly("x");
    assertThat(bench.written()).containsExactly("a");
  }

  private static void register(TransactionSynchronization synchronization) {
    TransactionSynchronizationManager.registerSynchronization(synchronization);
  }

  private static void refused(Runnable action, List<Throwable> refusals) {
    try {
      action.run();
    } catch (RuntimeException e) {
      refusals.add(e);
    }
  }
}
