package io.angarium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.testkit.tck.LocalTransactionsFixture;
import io.angarium.testkit.tck.LocalTransactionsTck;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class SpringLocalTransactionsTest implements LocalTransactionsTck<Connection> {
  private static final Marker MARKER = new Marker("order", "1");

  private final OutboxBench bench = new OutboxBench();

  private SpringLocalTransactions local() {
    return on(bench.manager());
  }

  private SpringLocalTransactions on(PlatformTransactionManager manager) {
    return new SpringLocalTransactions(bench.dataSource(), manager, bench.markers());
  }

  @Override
  public LocalTransactionsFixture<Connection> fixture() {
    return new LocalTransactionsFixture<>() {
      @Override
      public LocalTransactions<Connection> local() {
        return SpringLocalTransactionsTest.this.local();
      }

      @Override
      public LocalTransactions<Connection> another() {
        return local();
      }

      @Override
      public void write(Connection transaction, String line) {
        bench.business(line);
      }

      @Override
      public List<String> written() {
        return bench.businessRows();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }

  /** Inside of work another local transaction would be one in a transaction. */
  @Override
  @Test
  public void markersOfOtherTransactionsAreNotWaitedFor() {
    local()
        .run(
            MARKER,
            connection -> {
              assertThat(local().check(new Marker("invoice", "1"))).isEqualTo(Verdict.ROLLED_BACK);
              return true;
            });

    assertThat(local().check(MARKER)).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void withinATransactionItIsRefused() {
    TransactionTemplate outer = bench.transactions();

    assertThatThrownBy(
            () -> outer.execute(status -> local().run(MARKER, connection -> "never called")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside of @Transactional");
    assertThat(local().check(MARKER)).isEqualTo(Verdict.ROLLED_BACK);
  }

  /** Spring's own commit would roll it back without a word. */
  @Test
  void workThatMarksItsTransactionIsRolledBackWithAnError() {
    assertThatThrownBy(
            () ->
                local()
                    .run(
                        MARKER,
                        connection -> {
                          bench.business("a");
                          TransactionTemplate inner = bench.transactions();
                          inner.executeWithoutResult(TransactionExecution::setRollbackOnly);
                          return true;
                        }))
        .isInstanceOf(UnexpectedRollbackException.class)
        .hasMessageContaining("order/1");
    assertThat(bench.businessRows()).isEmpty();
    assertThat(local().check(MARKER)).isEqualTo(Verdict.ROLLED_BACK);
  }

  /** As after a deadlock that the work swallows: what follows is a transaction without a marker. */
  @Test
  void workThatGoesOnAfterItsTransactionWasEndedDoesNotCommit() {
    assertThatThrownBy(
            () ->
                local()
                    .run(
                        MARKER,
                        connection -> {
                          connection.rollback();
                          bench.business("a");
                          return true;
                        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lost its marker");
    assertThat(bench.businessRows()).isEmpty();
    assertThat(local().check(MARKER)).isEqualTo(Verdict.ROLLED_BACK);
  }

  @Test
  void transactionThatWouldOnlyTakePartIsRefused() {
    PlatformTransactionManager joining =
        new AbstractPlatformTransactionManager() {
          private static final long serialVersionUID = 1L;

          @Override
          protected Object doGetTransaction() {
            return this;
          }

          @Override
          protected boolean isExistingTransaction(Object transaction) {
            return true;
          }

          @Override
          protected void doBegin(Object transaction, TransactionDefinition definition) {
            throw new AssertionError("begun");
          }

          @Override
          protected void doCommit(DefaultTransactionStatus status) {
            throw new AssertionError("committed");
          }

          @Override
          protected void doRollback(DefaultTransactionStatus status) {
            throw new AssertionError("rolled back");
          }
        };

    assertThatThrownBy(() -> on(joining).run(MARKER, connection -> "never called"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a part of another one");
    assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
    assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
  }

  @Test
  void messagesOfTheOutboxCommitWithIt() {
    local()
        .run(MARKER, connection -> bench.outbox().send(Message.of("kafka:orders", new byte[] {1})));

    assertThat(bench.written()).containsExactly("kafka:orders");
  }

  @Test
  void callbackThatThrowsAfterTheCommitLeavesTheAnswerToTheMarker() {
    assertThatTheMarkerTells(new IllegalStateException("planned"));
  }

  /** As a callback throws whose own transaction was rolled back. */
  @Test
  void rollbackOfAnotherTransactionAfterTheCommitIsNotOurs() {
    assertThatTheMarkerTells(new UnexpectedRollbackException("planned"));
  }

  private void assertThatTheMarkerTells(RuntimeException thrown) {
    assertThatThrownBy(
            () ->
                local()
                    .run(
                        MARKER,
                        connection -> {
                          bench.business("a");
                          throwAfterTheCommit(thrown);
                          return true;
                        }))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(bench.businessRows()).containsExactly("a");
    assertThat(local().check(MARKER)).isEqualTo(Verdict.COMMITTED);
  }

  private static void throwAfterTheCommit(RuntimeException thrown) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            throw thrown;
          }
        });
  }

  @Test
  void failedRollbackLeavesTheAnswerToTheMarker() {
    DataSourceTransactionManager stuck =
        new DataSourceTransactionManager(bench.dataSource()) {
          private static final long serialVersionUID = 1L;

          @Override
          protected void doRollback(DefaultTransactionStatus status) {
            throw new TransactionSystemException("planned");
          }
        };

    assertThatThrownBy(
            () ->
                on(stuck)
                    .run(
                        MARKER,
                        connection -> {
                          throw new IllegalArgumentException("of the work");
                        }))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasRootCauseMessage("of the work");
  }

  @Test
  void transactionManagerOfAnotherDatabaseIsRefused() {
    DataSourceTransactionManager other =
        new DataSourceTransactionManager(OutboxBench.newDatabase());

    assertThatThrownBy(() -> on(other).run(MARKER, connection -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not one of the outbox's data source");
  }
}
