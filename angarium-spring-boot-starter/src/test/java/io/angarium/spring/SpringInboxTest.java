package io.angarium.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.InboxFixture;
import io.angarium.testkit.tck.InboxTck;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.UnexpectedRollbackException;

class SpringInboxTest implements InboxTck<Connection> {
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  private final OutboxBench bench = new OutboxBench();
  private final JdbcInbox plain =
      JdbcInbox.open(bench.dataSource(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

  private SpringInbox inbox() {
    return new SpringInbox(bench.dataSource(), bench.manager(), plain);
  }

  @Override
  public InboxFixture<Connection> fixture() {
    return new InboxFixture<>() {
      @Override
      public Inbox<Connection> inbox() {
        return SpringInboxTest.this.inbox();
      }

      @Override
      public Inbox<Connection> another() {
        return inbox();
      }

      @Override
      public Inbox<Connection> impatient() {
        return inbox(); // H2 itself waits no longer
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

  @Test
  void messagesThatTheWorkSendsCommitWithIt() {
    inbox().process(KEY, c -> bench.outbox().send(Message.of("kafka:orders", new byte[] {1})));

    assertThat(bench.written()).containsExactly("kafka:orders");
  }

  @Test
  void transactionThatIsRunningIsJoined() {
    assertThatThrownBy(
            () ->
                bench
                    .transactions()
                    .executeWithoutResult(
                        status -> {
                          assertThat(inbox().process(KEY, c -> bench.business("a"))).isTrue();
                          throw new IllegalStateException("planned");
                        }))
        .hasMessage("planned");
    assertThat(bench.businessRows()).isEmpty();

    bench
        .transactions()
        .executeWithoutResult(
            status -> {
              assertThat(inbox().process(KEY, c -> bench.business("b"))).isTrue();
              assertThat(inbox().process(KEY, c -> bench.business("c"))).isFalse();
              bench.business("d");
            });
    assertThat(bench.businessRows()).containsExactlyInAnyOrder("b", "d");
  }

  @Test
  void failureOfTheWorkCannotBeSwallowedByTheOuterTransaction() {
    assertThatThrownBy(
            () ->
                bench
                    .transactions()
                    .executeWithoutResult(
                        status -> {
                          bench.business("outer");
                          assertThatThrownBy(
                                  () ->
                                      inbox()
                                          .process(
                                              KEY,
                                              c -> {
                                                bench.business("a");
                                                throw new IllegalStateException("planned");
                                              }))
                              .hasMessage("planned");
                        }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(bench.businessRows()).isEmpty();
  }

  /** Spring's own commit would roll it back, and the message would be acknowledged. */
  @Test
  void workThatMarksItsTransactionIsRolledBackWithAnError() {
    assertThatThrownBy(
            () ->
                inbox()
                    .process(
                        KEY,
                        c -> {
                          bench.business("a");
                          bench
                              .transactions()
                              .executeWithoutResult(TransactionExecution::setRollbackOnly);
                        }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(bench.businessRows()).isEmpty();
    assertThat(inbox().process(KEY, c -> bench.business("b"))).isTrue();
  }

  @Test
  void transactionManagerOfAnotherDatabaseIsRefused() {
    SpringInbox other =
        new SpringInbox(
            bench.dataSource(), new DataSourceTransactionManager(OutboxBench.newDatabase()), plain);

    assertThatThrownBy(() -> other.process(KEY, c -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not one of the inbox's data source");
  }
}
