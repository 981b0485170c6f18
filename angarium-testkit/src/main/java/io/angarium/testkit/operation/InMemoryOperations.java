package io.angarium.testkit.operation;

import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageRow;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationStore;
import io.angarium.operation.internal.OperationRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operations that are lost with the object. Thread-safe. */
public final class InMemoryOperations implements OperationDesk, OperationStore {
  /** Runs work while nothing else is done with the database. */
  @FunctionalInterface
  public interface Access {
    /** Returns what the work returns. */
    <T> T call(Supplier<T> work);
  }

  private static final Map<MessageId, String> NONE = Map.of();

  private final Access access;
  private final Supplier<Instant> now;
  private final Desk desk;
  private final BiPredicate<UUID, MessageId> discardedBy;

  private final Map<UUID, OperationRow> rows = new LinkedHashMap<>();
  private final Map<UUID, List<Refusal>> refusals = new HashMap<>();

  /**
   * Creates it without operations.
   *
   * @param access around every call
   * @param desk where messages are found and changed; itself without faults
   * @param discardedBy whether an operation discarded a message
   */
  public InMemoryOperations(
      Access access, Supplier<Instant> now, Desk desk, BiPredicate<UUID, MessageId> discardedBy) {
    this.access = access;
    this.now = now;
    this.desk = desk;
    this.discardedBy = discardedBy;
  }

  // ---- for persons

  @Override
  public Operation begin(OperationPlan plan) {
    return access.call(
        () -> {
          OperationRow there = rows.get(plan.id());
          if (there != null) {
            return OperationRow.requireSame(there.operation(), plan);
          }
          OperationRow.requireFew(
              rows.values().stream().filter(row -> !row.operation().state().isEnd()).count());
          OperationRow begun = OperationRow.begun(plan, now.get());
          desk.audit().note(begun.beginEntry());
          rows.put(plan.id(), begun);
          return begun.operation();
        });
  }

  @Override
  public Optional<Operation> find(UUID id) {
    return access.call(() -> Optional.ofNullable(rows.get(id)).map(OperationRow::operation));
  }

  @Override
  public List<Operation> newest(int limit) {
    OperationRow.requireLimit(limit);
    return access.call(
        () -> {
          List<Operation> all = new ArrayList<>();
          rows.values().forEach(row -> all.add(row.operation()));
          Collections.reverse(all);
          return all.stream().limit(limit).toList();
        });
  }

  @Override
  public boolean change(UUID id, Change change, ActBy by) {
    return access.call(
        () -> {
          OperationRow there = rows.get(id);
          OperationRow changed = there == null ? null : there.changed(change, now.get());
          if (changed == null) {
            return false;
          }
          desk.audit().note(changed.entry(by, change));
          rows.put(id, changed);
          return true;
        });
  }

  @Override
  public boolean rate(UUID id, int rate, ActBy by) {
    OperationPlan.requireRate(rate);
    return access.call(
        () -> {
          OperationRow there = rows.get(id);
          if (there == null || there.operation().state().isEnd()) {
            return false;
          }
          OperationRow changed = there.plan(there.operation().plan().rate(rate));
          desk.audit().note(changed.rateEntry(by));
          rows.put(id, changed);
          return true;
        });
  }

  @Override
  public List<Refusal> refusals(UUID id) {
    return access.call(() -> List.copyOf(refusals.getOrDefault(id, List.of())));
  }

  @Override
  public BoundedCount diedAgain(UUID id) {
    return access.call(
        () -> {
          OperationRow row = rows.get(id);
          if (row == null || row.operation().plan().kind() != OperationKind.REQUEUE) {
            return BoundedCount.NONE;
          }
          MessagePage dead =
              desk.messages().search(OperationRow.againDead(row.operation(), DIED_AGAIN_MAX));
          long again = dead.rows().stream().filter(each -> wasRequeuedBy(id, each)).count();
          return new BoundedCount(again, dead.next() != null);
        });
  }

  private boolean wasRequeuedBy(UUID operation, MessageRow row) {
    return desk
        .audit()
        .page(AuditQuery.ofMessage(row.id().toString(), AuditQuery.LIMIT_MAX))
        .stream()
        .anyMatch(entry -> operation.equals(entry.by().operation()));
  }

  // ---- for nodes

  @Override
  public List<Turn> take(String node, Duration lease) {
    return access.call(
        () -> {
          List<Turn> turns = new ArrayList<>();
          Instant time = now.get();
          rows.replaceAll(
              (id, row) -> {
                if (!row.isFree(time)) {
                  return row;
                }
                OperationRow taken = row.taken(node, time, lease);
                turns.add(new Turn(id, taken.token()));
                return taken;
              });
          return turns;
        });
  }

  @Override
  public Optional<Operation> step(
      Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
    return access.call(
        () -> {
          OperationRow row = rows.get(turn.operation());
          return row == null
                  || row.token() != turn.token()
                  || row.operation().state() != State.RUNNING
              ? Optional.empty()
              : Optional.of(step(row, messagesMax, lease, refusal).operation());
        });
  }

  private OperationRow step(
      OperationRow row, int messagesMax, Duration lease, @Nullable String refusal) {
    MessagePage page = desk.messages().search(row.query(messagesMax));
    OperationPlan plan = row.operation().plan();
    UUID undoes = plan.undoes();
    List<MessageRow> meant =
        page.rows().stream()
            .filter(each -> undoes == null || discardedBy.test(undoes, each.id()))
            .toList();
    OperationRow after;
    if (row.waitsFor(meant, desk.pauses().pauses())) {
      after = row.heldUp(now.get());
    } else {
      ActResult result = act(plan, meant, refusal);
      List<Refusal> few = refusals.computeIfAbsent(plan.id(), id -> new ArrayList<>());
      result.refused().forEach((id, reason) -> few.add(new Refusal(id, reason)));
      refusals.put(plan.id(), new ArrayList<>(OperationRow.first(few)));
      after = row.stepped(page, result, now.get(), lease);
    }
    if (after.operation().state().isEnd()) {
      desk.audit().note(after.endEntry());
    }
    rows.put(plan.id(), after);
    return after;
  }

  private ActResult act(OperationPlan plan, List<MessageRow> meant, @Nullable String refusal) {
    List<MessageId> ids = meant.stream().map(MessageRow::id).distinct().toList();
    if (ids.isEmpty()) {
      return new ActResult(ids, ids, NONE);
    }
    if (refusal != null) {
      Map<MessageId, String> refused = new LinkedHashMap<>();
      ids.forEach(id -> refused.put(id, refusal));
      return new ActResult(List.of(), List.of(), refused);
    }
    MessageActs acts = desk.acts();
    return switch (plan.kind()) {
      case REQUEUE -> acts.requeue(ids, plan.by());
      case DISCARD -> acts.discard(ids, plan.by());
      case RESTORE -> acts.restore(ids, plan.by());
      case CANCEL -> acts.cancel(ids, plan.by());
      case BURY -> acts.bury(ids, plan.by());
    };
  }

  @Override
  public void release(Turn turn) {
    access.call(
        () -> {
          OperationRow row = rows.get(turn.operation());
          if (row != null && row.token() == turn.token()) {
            rows.put(turn.operation(), row.released(now.get()));
          }
          return turn;
        });
  }
}
