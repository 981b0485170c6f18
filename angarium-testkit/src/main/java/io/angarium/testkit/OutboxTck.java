package io.angarium.testkit;

import static io.angarium.testkit.OutboxCommitTck.keylessAndKeyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.store.Written;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every way into an outbox: a message exists exactly when its transaction does. A
 * test class implements it and gives a fixture, a new one for each test.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutboxTck extends OutboxCommitTck {
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
