package io.angarium.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.store.Written;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every way into an outbox: a message exists exactly when its transaction does. A
 * test class implements it and gives a fixture, a new one for each test.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutboxTck {
  /** What is tested; the same at every call. */
  OutboxFixture fixture();

  /** Closes the fixture. */
  @AfterEach
  default void closeOutbox() {
    fixture().close();
  }

  @Test
  default void messagesCommitWithTheirTransaction() throws Exception {
    List<MessageId> sent = new ArrayList<>();

    fixture()
        .run(
            transaction -> {
              transaction.write("line");
              sent.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
            });

    assertThat(fixture().lines()).containsExactly("line");
    assertThat(fixture().sent()).containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  default void handOverNamesTheOutboxThatItIsFor() throws Exception {
    fixture().run(transaction -> transaction.outbox().sendAll(keylessAndKeyed()));
    fixture()
        .run(
            transaction -> {
              transaction.outbox().sendAll(keylessAndKeyed());
              transaction.savepoint();
              transaction.outbox().sendAll(keylessAndKeyed());
            });

    assertThat(fixture().handedOver())
        .hasSizeGreaterThanOrEqualTo(2)
        .extracting(Written::source)
        .containsOnly(fixture().store().source())
        .doesNotContainNull();
  }

  @Test
  default void workThatFailsLeavesNeither() {
    assertThatThrownBy(
            () ->
                fixture()
                    .run(
                        transaction -> {
                          transaction.write("line");
                          transaction.outbox().sendAll(keylessAndKeyed());
                          throw new IllegalStateException("planned");
                        }))
        .hasMessage("planned");

    assertThat(fixture().lines()).isEmpty();
    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void savepointThatIsRolledBackTakesItsMessagesAlong() throws Exception {
    List<MessageId> kept = new ArrayList<>();

    fixture()
        .run(
            transaction -> {
              kept.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
              Object savepoint = transaction.savepoint();
              transaction.write("lost");
              transaction.outbox().sendAll(keylessAndKeyed());
              transaction.rollBackTo(savepoint);
              transaction.write("line");
              kept.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
            });

    assertThat(fixture().lines()).containsExactly("line");
    assertThat(fixture().sent()).containsExactlyInAnyOrderElementsOf(kept);
  }

  @Test
  default void savepointThatTookAllMessagesLeavesNone() throws Exception {
    fixture()
        .run(
            transaction -> {
              transaction.write("line");
              Object savepoint = transaction.savepoint();
              transaction.outbox().sendAll(keylessAndKeyed());
              transaction.rollBackTo(savepoint);
            });

    assertThat(fixture().lines()).containsExactly("line");
    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void innerSavepointLeavesWhatTheOuterOneHolds() throws Exception {
    List<MessageId> kept = new ArrayList<>();

    fixture()
        .run(
            transaction -> {
              Object outer = transaction.savepoint();
              kept.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
              Object inner = transaction.savepoint();
              transaction.outbox().sendAll(keylessAndKeyed());
              transaction.rollBackTo(inner);
              kept.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
              assertThat(outer).isNotSameAs(inner);
            });

    assertThat(fixture().sent()).containsExactlyInAnyOrderElementsOf(kept);
  }

  /** Some databases go on, others give the transaction up; nobody may be told the wrong one. */
  @Test
  default void errorThatTheWorkSwallowsIsNoSuccessWithoutItsEffect() {
    swallowsAnError(true);
  }

  @Test
  default void errorIsNoSuccessWhereNothingWasSent() {
    swallowsAnError(false);
  }

  private void swallowsAnError(boolean sends) {
    boolean succeeded =
        succeeds(
            transaction -> {
              transaction.write("line");
              if (sends) {
                transaction.outbox().sendAll(keylessAndKeyed());
              }
              transaction.swallowError();
            });

    if (fixture().watchesAll()) {
      assertThat(fixture().lines()).hasSize(succeeded ? 1 : 0);
    }
    assertThat(fixture().sent()).hasSize(sends ? 2 * fixture().lines().size() : 0);
  }

  @Test
  default void victimOfADeadlockTakesItsMessagesAlong() {
    succeeds(
        transaction -> {
          transaction.write("line");
          transaction.outbox().sendAll(keylessAndKeyed());
          transaction.swallowDeadlock();
          transaction.swallowError();
        });

    assertThat(fixture().sent()).hasSize(2 * fixture().lines().size());
  }

  @Test
  default void victimOfADeadlockSendsNothingAfterIt() {
    boolean succeeded =
        succeeds(
            transaction -> {
              transaction.write("line");
              transaction.swallowDeadlock();
              transaction.outbox().sendAll(keylessAndKeyed());
            });

    if (fixture().watchesAll()) {
      assertThat(fixture().sent()).hasSize(2 * fixture().lines().size());
    } else {
      assertThat(fixture().sent()).hasSize(succeeded ? 2 : 0);
    }
  }

  private boolean succeeds(OutboxFixture.Work work) {
    try {
      fixture().run(work);
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  /** Two messages, one of them with a key. */
  static List<Message> keylessAndKeyed() {
    Message message = Message.of("kafka:orders", "paid".getBytes(StandardCharsets.UTF_8));
    return List.of(message, message.key("k"));
  }
}
