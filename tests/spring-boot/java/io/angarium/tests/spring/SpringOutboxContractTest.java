package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.SpringInbox;
import io.angarium.testkit.tck.OutboxCommitTck;
import io.angarium.testkit.tck.OutboxFixture;
import io.angarium.testkit.tck.OutboxTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.PreparedStatement;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;

/** A message exists exactly when Spring's transaction does, whatever manages it. */
@OnBootFour
final class SpringOutboxContractTest {
  @Nested
  final class OfH2 implements OutboxTck, BesideBatches {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.h2());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OfPostgres implements OutboxTck, BesideBatches {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.postgres());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OfMariaDb implements OutboxTck, WithSavepoints {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.mariaDb());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.MYSQL)
  final class OfMySql implements OutboxTck, WithSavepoints {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.mySql());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class OfJpaOnH2 implements OutboxCommitTck {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jpa(Database.h2());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.MYSQL)
  final class OfJpaOnMySql implements OutboxCommitTck {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jpa(Database.mySql());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class OfJdbcInJpaOnH2 implements OutboxCommitTck {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbcInJpa(Database.h2());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.MARIADB)
  final class OfJdbcInJpaOnMariaDb implements OutboxCommitTck {
    private final SpringOutboxFixture fixture = SpringOutboxFixture.jdbcInJpa(Database.mariaDb());

    @Override
    public SpringOutboxFixture fixture() {
      return fixture;
    }
  }

  /** The watch cannot see through a batch, and marks the transaction before it. */
  interface BesideBatches extends OutboxCommitTck {
    Message MESSAGE = Message.of("kafka:orders", new byte[] {1});

    @Override
    SpringOutboxFixture fixture();

    /** Of JdbcTemplate, in the transaction. */
    default void writeInABatch(String line) {
      fixture().jdbc().batchUpdate("INSERT INTO line VALUES ('" + line + "')");
    }

    @Test
    default void savepointTakesTheMarkAlongAndTheTransactionCommits() throws Exception {
      fixture()
          .run(
              transaction -> {
                transaction.write("line");
                Object savepoint = transaction.savepoint();
                writeInABatch("lost");
                transaction.rollBackTo(savepoint);
                transaction.outbox().send(MESSAGE);
                writeInABatch("batch");
              });

      assertThat(fixture().lines()).containsExactlyInAnyOrder("line", "batch");
      assertThat(fixture().sent()).hasSize(1);
    }

    @Test
    default void olderMarkOutlivesTheSavepoint() throws Exception {
      fixture()
          .run(
              transaction -> {
                writeInABatch("line");
                Object savepoint = transaction.savepoint();
                writeInABatch("lost");
                transaction.rollBackTo(savepoint);
                transaction.outbox().send(MESSAGE);
              });

      assertThat(fixture().lines()).containsExactly("line");
      assertThat(fixture().sent()).hasSize(1);
    }

    /** To release a savepoint takes along those that are younger, as a mark set after it. */
    @Test
    default void savepointThatIsReleasedLeavesTheTransactionWatched() throws Exception {
      fixture()
          .run(
              transaction -> {
                transaction.write("line");
                fixture()
                    .within(TransactionDefinition.PROPAGATION_NESTED, () -> writeInABatch("nested"));
                transaction.outbox().send(MESSAGE);
              });
      fixture()
          .run(
              transaction -> {
                Object savepoint = transaction.savepoint();
                writeInABatch("own");
                fixture().release(transaction, savepoint);
                transaction.outbox().send(MESSAGE);
              });

      assertThat(fixture().lines()).containsExactlyInAnyOrder("line", "nested", "own");
      assertThat(fixture().sent()).hasSize(2);
    }

    @Test
    default void inboxAndOutboxWatchANestedTransaction() throws Exception {
      SpringInbox inbox = fixture().inbox();
      inbox.process(
          InboxKey.of("mail", "1"),
          connection -> {
            fixture()
                .within(TransactionDefinition.PROPAGATION_NESTED, () -> writeInABatch("inner"));
            fixture().outbox().send(MESSAGE);
          });
      fixture()
          .run(
              transaction -> {
                fixture()
                    .within(
                        TransactionDefinition.PROPAGATION_NESTED,
                        () -> inbox.process(InboxKey.of("mail", "2"), c -> writeInABatch("outer")));
                transaction.outbox().send(MESSAGE);
              });

      assertThat(fixture().lines()).containsExactlyInAnyOrder("inner", "outer");
      assertThat(fixture().sent()).hasSize(2);
    }

    @Test
    default void victimOfADeadlockBesideANestedTransactionSendsNothing() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .run(
                          transaction -> {
                            transaction.write("line");
                            fixture()
                                .within(
                                    TransactionDefinition.PROPAGATION_NESTED,
                                    () -> writeInABatch("nested"));
                            transaction.swallowDeadlock();
                            writeInABatch("batch");
                            transaction.outbox().send(MESSAGE);
                          }))
          .isInstanceOf(RuntimeException.class);

      assertThat(fixture().lines()).isEmpty();
      assertThat(fixture().sent()).isEmpty();
    }

    /** It marks the transaction as well: marks end in the order opposite to that of their begin. */
    @Test
    default void inboxAndOutboxWatchOneTransaction() throws Exception {
      SpringInbox inbox = fixture().inbox();
      inbox.process(
          InboxKey.of("mail", "1"),
          connection -> {
            writeInABatch("alone");
            fixture().outbox().send(MESSAGE);
          });
      fixture()
          .run(
              transaction -> {
                writeInABatch("outer");
                inbox.process(
                    InboxKey.of("mail", "2"),
                    connection -> {
                      writeInABatch("inner");
                      transaction.outbox().send(MESSAGE);
                    });
              });

      assertThat(fixture().lines()).containsExactlyInAnyOrder("alone", "outer", "inner");
      assertThat(fixture().sent()).hasSize(2);
    }

    @Test
    default void victimOfADeadlockBeforeABatchSendsNothing() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .run(
                          transaction -> {
                            transaction.write("line");
                            transaction.swallowDeadlock();
                            writeInABatch("batch");
                            transaction.outbox().send(MESSAGE);
                          }))
          .isInstanceOf(RuntimeException.class);

      assertThat(fixture().lines()).isEmpty();
      assertThat(fixture().sent()).isEmpty();
    }

    @Test
    default void nestedAndJoiningTransactionsAreWatchedToo() {
      for (int propagation :
          List.of(
              TransactionDefinition.PROPAGATION_NESTED,
              TransactionDefinition.PROPAGATION_REQUIRED)) {
        assertThatThrownBy(
                () ->
                    fixture()
                        .run(
                            transaction -> {
                              transaction.write("line");
                              fixture()
                                  .within(propagation, () -> transaction.swallowDeadlock());
                              transaction.outbox().send(MESSAGE);
                            }))
            .isInstanceOf(RuntimeException.class);

        assertThat(fixture().lines()).isEmpty();
        assertThat(fixture().sent()).isEmpty();
      }
    }

    @Test
    default void joiningTransactionMarksTheOuterOneAsToBeRolledBack() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .run(
                          transaction -> {
                            transaction.write("line");
                            transaction.outbox().send(MESSAGE);
                            fixture().failWithin(TransactionDefinition.PROPAGATION_REQUIRED);
                          }))
          .hasMessageContaining("rollback-only");

      assertThat(fixture().lines()).isEmpty();
      assertThat(fixture().sent()).isEmpty();
    }
  }

  /** The mark is a savepoint. */
  interface WithSavepoints extends BesideBatches {
    @Test
    default void watchCostsNothingUntilABatch() throws Exception {
      long before = savepoints();

      fixture()
          .run(
              transaction -> {
                transaction.write("line");
                transaction.outbox().send(MESSAGE);
              });

      assertThat(savepoints()).isEqualTo(before);
      fixture().run(transaction -> writeInABatch("batch"));
      assertThat(savepoints()).isEqualTo(before + 1);
    }

    /** MySQL and MariaDB commit what was before it: nothing. */
    @Test
    default void statementThatCommitsByItselfMayBeTheFirst() throws Exception {
      fixture()
          .run(
              transaction -> {
                fixture().jdbc().execute("TRUNCATE TABLE line");
                transaction.write("called");
                transaction.outbox().send(MESSAGE);
              });
      fixture()
          .run(
              transaction -> {
                fixture().jdbc().update("ALTER TABLE line COMMENT 'a'", ps -> {}); // prepared
                writeInABatch("prepared");
                transaction.outbox().send(MESSAGE);
              });

      assertThat(fixture().lines()).containsExactlyInAnyOrder("called", "prepared");
      assertThat(fixture().sent()).hasSize(2);
    }

    @Test
    default void statementThatCommitsOthersSendsNothing() {
      assertThatThrownBy(
              () ->
                  fixture()
                      .run(
                          transaction -> {
                            transaction.write("line");
                            fixture().jdbc().execute("TRUNCATE TABLE line");
                            transaction.outbox().send(MESSAGE);
                          }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("a statement that commits by itself (DDL)");
      assertThatThrownBy(() -> fixture().run(this::truncateByAStatementPreparedFirst))
          .isInstanceOf(StoreException.class);

      assertThat(fixture().sent()).isEmpty();
    }

    private void truncateByAStatementPreparedFirst(OutboxFixture.Transaction transaction) {
      fixture()
          .jdbc()
          .execute(
              "TRUNCATE TABLE line",
              (PreparedStatement truncate) -> {
                transaction.write("line");
                return truncate.execute();
              });
      transaction.outbox().send(MESSAGE);
    }

    /** Of the server. */
    private long savepoints() {
      return fixture()
          .jdbc()
          .query("SHOW GLOBAL STATUS LIKE 'Com_savepoint'", (row, n) -> row.getLong(2))
          .get(0);
    }
  }

  @Test
  void errorSaysWhatTheDatabaseDid() {
    try (SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.h2())) {
      assertThatThrownBy(
              () ->
                  fixture.run(
                      transaction -> {
                        transaction.write("line");
                        transaction.swallowDeadlock();
                        transaction.outbox().send(BesideBatches.MESSAGE);
                      }))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("victim of a deadlock")
          .hasMessageContaining("let such exceptions through");
    }
  }

  /** What nothing was sent in is the application's alone. */
  @Test
  void transactionThatSendsNothingIsLeftToTheApplication() throws Exception {
    try (SpringOutboxFixture fixture = SpringOutboxFixture.jdbc(Database.h2())) {
      fixture.run(
          transaction -> {
            transaction.write("lost");
            transaction.swallowDeadlock();
            transaction.write("line");
          });

      assertThat(fixture.lines()).containsExactly("line");
    }
  }
}
