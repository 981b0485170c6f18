package io.angarium.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.store.OutboxStore;
import io.angarium.store.SequenceMark;
import io.angarium.testkit.RecordingHandover;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryDatabaseTest {
  private final InMemoryDatabase database = InMemoryDatabase.create();
  private final OutboxStore store = database.outboxStore();

  @Test
  void commitMakesMessagesVisibleAndRollbackLeavesGaps() {
    Tx rolledBack = database.begin();
    rolledBack.outbox().send(message("a"));
    Tx committed = database.begin();
    MessageId kept = committed.outbox().send(message("b"));

    rolledBack.rollback();
    committed.commit();

    assertThat(database.unsent()).extracting(StoredMessage::id).containsExactly(kept);
    assertThat(database.unsent().get(0).position().sequence()).isEqualTo(2);
    assertThat(store.lastSequence()).isEqualTo(2);
  }

  @Test
  void snapshotXmaxCanLieBelowAnOpenTransaction() {
    Tx open = database.begin();
    open.outbox().send(message("late"));

    long xmax = database.snapshotXmax();
    SequenceMark mark = store.mark();

    // As a barrier xmax would be passed while the first row is still to come.
    assertThat(Long.parseLong(mark.barrier())).isGreaterThan(xmax);
    assertThat(store.settled(new SequenceMark(mark.lastSequence(), Long.toString(xmax - 1))))
        .isTrue();
    assertThat(store.settled(mark)).isFalse();
    open.commit();
    assertThat(store.settled(mark)).isTrue();
  }

  @Test
  void lostAnswerOfACommitLeavesTheMessagesCommitted() {
    database.faults().loseAnswerNext(StoreCall.COMMIT);
    Tx tx = database.begin();
    tx.outbox().send(message("a"));

    assertThatThrownBy(tx::commit).isInstanceOf(StoreException.class);

    assertThat(database.unsent()).hasSize(1);
  }

  @Test
  void failedCommitRollsBack() {
    database.faults().failNext(StoreCall.COMMIT);
    Tx tx = database.begin();
    tx.outbox().send(message("a"));

    assertThatThrownBy(tx::commit).isInstanceOf(StoreException.class);

    assertThat(database.unsent()).isEmpty();
    assertThat(store.settled(store.mark())).isTrue();
  }

  @Test
  void faultStrikesAtTheNthCallOnly() {
    database.faults().failCall(2);

    store.lastSequence();
    assertThatThrownBy(store::backlog).isInstanceOf(StoreException.class);
    assertThat(store.lastSequence()).isZero();
  }

  @Test
  void handoverIsToldAfterTheCommitOnly() {
    List<CommittedMessages> told = new ArrayList<>();
    RecordingHandover handover = new RecordingHandover(told);
    Tx rolledBack = database.begin(handover);
    rolledBack.outbox().send(message("no"));
    rolledBack.close();
    Tx tx = database.begin(handover);
    MessageId id = tx.outbox().send(Message.of("fake:orders", new byte[] {1}));
    tx.outbox().send(message("keyed"));
    tx.outbox().send(message("delayed").notBefore(database.now().plusSeconds(9)));
    assertThat(told).isEmpty();

    tx.commit();

    int keyed =
        Partitioning.DEFAULTS.ofKeyHash(
            Partitioning.keyHash(Destination.parse("fake:orders"), "keyed"));
    assertThat(told).hasSize(1);
    assertThat(told.get(0).keyless()).extracting(StoredMessage::id).containsExactly(id);
    assertThat(told.get(0).keyedPartitions()).containsExactly(keyed);
  }

  private static Message message(String key) {
    return Message.of("fake:orders", new byte[] {1}).key(key);
  }
}
