package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;

import io.angarium.MessageId;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.intake.StoredMessage;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationStore;
import io.angarium.operation.OperationStore.Turn;
import io.angarium.pause.PauseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Begins operations and carries them out. Not thread-safe: one thread at a time. */
final class OperationScene {
  static final Duration LEASE = Duration.ofHours(1);

  /** One that is over as soon as it is taken. */
  static final Duration NO_LEASE = Duration.ofNanos(1_000);

  private static final int STEPS_MAX = 1_000;

  final DeskScene messages;
  final OperationDesk desk;
  final OperationStore store;
  private final DeskFixture fixture;
  private int operations;

  OperationScene(DeskFixture fixture) {
    this.fixture = fixture;
    this.messages = new DeskScene(fixture);
    this.desk = fixture.operationDesk();
    this.store = fixture.operationStore();
  }

  /** A plan of a new id that begins at once and goes up to now. */
  OperationPlan plan(OperationKind kind, MessageFilter filter) {
    operations++;
    return OperationPlan.of(new UUID(7, operations), kind, filter, fixture.now(), ANN)
        .delay(Duration.ZERO);
  }

  OperationPlan plan(OperationKind kind) {
    return plan(kind, MessageFilter.ALL);
  }

  /** Begins an operation and takes it. */
  Turn taken(OperationPlan plan) {
    desk.begin(plan);
    return take("node-a");
  }

  /** Takes the only operation that is to go on. */
  Turn take(String node) {
    List<Turn> turns = store.take(node, LEASE);
    if (turns.size() != 1) {
      throw new AssertionError(node + " took " + turns + " (expected: one)");
    }
    return turns.get(0);
  }

  Optional<Operation> step(Turn turn, int messagesMax) {
    return store.step(turn, messagesMax, LEASE, null);
  }

  /** Goes on by so many messages at a time, as long as the operation runs. */
  Operation finish(Turn turn, int messagesMax) {
    for (int steps = 0; steps < STEPS_MAX; steps++) {
      Operation after = step(turn, messagesMax).orElseThrow();
      if (after.state() != State.RUNNING) {
        return after;
      }
    }
    throw new AssertionError(turn + " runs after " + STEPS_MAX + " steps");
  }

  /** Begins an operation and carries it out. */
  Operation run(OperationPlan plan, int messagesMax) {
    return finish(taken(plan), messagesMax);
  }

  Operation find(Turn turn) {
    return desk.find(turn.operation()).orElseThrow();
  }

  /** The entries of the audit of an operation about each of some messages. */
  List<AuditEntry> entries(UUID operation, MessageId id) {
    return messages.desk.audit().page(AuditQuery.ofMessage(id.toString(), 10)).stream()
        .filter(entry -> operation.equals(entry.by().operation()))
        .toList();
  }

  /** Gives up a requeued message once more. */
  void dieAgain(MessageId id) {
    StoredMessage row =
        messages.store.unsent().stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .orElseThrow();
    messages.bury(row, 1, "no hope again", false);
  }

  /** Notes that the only node sends nothing to paused destinations. */
  void applied() {
    PauseStore pauses = fixture.pauses();
    pauses.applied(
        StoreScene.node(DeskScene.NODE),
        pauses.changedSince(PauseStore.NONE_KNOWN).orElseThrow().version());
  }
}
