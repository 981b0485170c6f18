package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of a way into an outbox whose transactions have no savepoints; others implement
 * {@link OutboxTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutboxCommitTck {
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

    if (sends ? fixture().watchesAll() : fixture().commits()) {
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
