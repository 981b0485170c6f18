package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.OutboxCommitTck.keylessAndKeyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.transport.AddressCheck;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.UnknownTransport;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every way into an outbox: a message exists exactly when its transaction does. A
 * test class implements it and gives a fixture, a new one for each test.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutboxTck extends OutboxCommitTck {
  /**
   * The intake that fixtures give to their outbox: of a process that has only the transport {@code
   * kafka} and refuses others.
   */
  static MessageIntake intake() {
    AddressCheck check = new AddressCheck(null, UnknownTransport.REFUSE);
    check.know(List.of(FakeTransport.to(new FakeBroker(), "kafka", KeyOrder.PIPELINED)));
    return MessageIntake.of(null).checking(check);
  }

  @Test
  default void messageForATransportThatTheProcessLacksIsRefusedAndTheTransactionGoesOn()
      throws Exception {
    Message misspelt = Message.of("kafak:orders", new byte[] {1});
    List<MessageId> kept = new ArrayList<>();

    fixture()
        .run(
            transaction -> {
              assertRefused(() -> transaction.outbox().send(misspelt));
              assertRefused(
                  () -> transaction.outbox().sendAll(List.of(keylessAndKeyed().get(0), misspelt)));
              transaction.write("line");
              kept.addAll(transaction.outbox().sendAll(keylessAndKeyed()));
            });

    assertThat(fixture().lines()).containsExactly("line");
    assertThat(fixture().sent()).containsExactlyInAnyOrderElementsOf(kept);
  }

  private static void assertRefused(ThrowingCallable send) {
    assertThatThrownBy(send)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith(
            "destination: 'kafak:orders': this process has no transport 'kafak', did you mean kafka? (expected: one of"
                + " kafka)");
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
        .extracting(CommittedMessages::source)
        .containsOnly(fixture().store().source())
        .doesNotContainNull();
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
}
