package io.angarium.operation.internal;

import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.Operation.Halt;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationDesk.Change;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation as a store keeps it, and what becomes of it. Immutable.
 *
 * @param token of the latest turn
 * @param leasedUntil when the latest turn ends by itself
 */
public record OperationRow(Operation operation, long token, Instant leasedUntil) {
  /** The kind of a target in the audit that is an operation. */
  public static final String TARGET = "operation";

  /** Rows that one step reads, so that it is short and holds its locks for a short time. */
  private static final SearchBudget BUDGET = new SearchBudget(20_000, Duration.ofSeconds(2));

  /** One that begins now. */
  public static OperationRow begun(OperationPlan plan, Instant now) {
    Instant until = plan.until().isAfter(now) ? now : plan.until();
    return new OperationRow(
        new Operation(
            plan.until(until),
            State.WAITING,
            now,
            now.plus(plan.delay()),
            null,
            null,
            Counts.NONE,
            null,
            null),
        0,
        now);
  }

  /** Whether a node may take it. */
  public boolean isFree(Instant now) {
    boolean due =
        operation.state() == State.RUNNING
            || (operation.state() == State.WAITING && !operation.startAt().isAfter(now));
    return due && !leasedUntil.isAfter(now);
  }

  /** The same in the hands of a node. */
  public OperationRow taken(String node, Instant now, Duration lease) {
    return new OperationRow(
        with(State.RUNNING, operation.startAt(), node, null, null), token + 1, now.plus(lease));
  }

  /** The same with a turn that ends now. */
  public OperationRow released(Instant now) {
    return new OperationRow(operation, token + 1, now);
  }

  /** The same after a person has changed it; null if its state does not permit that. */
  public @Nullable OperationRow changed(Change change, Instant now) {
    State state = operation.state();
    return switch (change) {
      case PAUSE ->
          state == State.WAITING || state == State.RUNNING
              ? put(with(State.PAUSED, operation.startAt(), operation.node(), null, null), now)
              : null;
      case RESUME -> {
        if (state == State.WAITING) {
          yield put(with(State.WAITING, now, operation.node(), null, null), now);
        }
        yield state == State.PAUSED
            ? put(with(State.RUNNING, begun(now), operation.node(), null, null), now)
                .withoutFirstFew()
            : null;
      }
      case CANCEL ->
          state.isEnd()
              ? null
              : put(with(State.CANCELLED, operation.startAt(), operation.node(), now, null), now);
    };
  }

  /** When it began; one that was paused before that begins now. */
  private Instant begun(Instant now) {
    return operation.startAt().isAfter(now) ? now : operation.startAt();
  }

  private OperationRow put(Operation changed, Instant now) {
    return new OperationRow(changed, token + 1, now);
  }

  private OperationRow withoutFirstFew() {
    return operation.counts().reached() < operation.plan().firstFew()
        ? this
        : plan(operation.plan().firstFew(0));
  }

  /** The same with another plan. */
  public OperationRow plan(OperationPlan plan) {
    return new OperationRow(
        new Operation(
            plan,
            operation.state(),
            operation.createdAt(),
            operation.startAt(),
            operation.node(),
            operation.cursor(),
            operation.counts(),
            operation.endedAt(),
            operation.halt()),
        token,
        leasedUntil);
  }

  private Operation with(
      State state,
      Instant startAt,
      @Nullable String node,
      @Nullable Instant endedAt,
      @Nullable Halt halt) {
    return new Operation(
        operation.plan(),
        state,
        operation.createdAt(),
        startAt,
        node,
        operation.cursor(),
        operation.counts(),
        endedAt,
        halt);
  }

  // ---- what is required

  /**
   * The operation that is there, if it is the one that is wanted.
   *
   * @throws IllegalArgumentException if it is another one
   */
  public static Operation requireSame(Operation there, OperationPlan wanted) {
    if (!there.plan().isSame(wanted)) {
      throw new IllegalArgumentException(
          "id: " + wanted.id() + " is another operation (expected: an id that none has)");
    }
    return there;
  }

  /**
   * Checks that one more may begin.
   *
   * @throws IllegalArgumentException if there are too many that have not ended
   */
  public static void requireFew(long open) {
    if (open >= OperationDesk.OPEN_MAX) {
      throw new IllegalArgumentException(
          "operations that have not ended: %d (expected: at most %d); cancel some, or wait"
              .formatted(open + 1, OperationDesk.OPEN_MAX));
    }
  }

  /**
   * Checks the length of a list.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static void requireLimit(int limit) {
    if (limit < 1 || limit > OperationDesk.LIMIT_MAX) {
      throw new IllegalArgumentException(
          "limit: %d (expected: 1..%d)".formatted(limit, OperationDesk.LIMIT_MAX));
    }
  }

  /** The refusals that are kept. */
  public static List<Refusal> first(List<Refusal> refusals) {
    return refusals.subList(0, Math.min(refusals.size(), Operation.REFUSED_MAX));
  }

  // ---- a step

  /** What the next step looks for. */
  public MessageQuery query(int messagesMax) {
    OperationPlan plan = operation.plan();
    long limit = Math.min(messagesMax, plan.messagesMax() - operation.counts().reached());
    if (plan.firstFew() > operation.counts().reached()) {
      limit = Math.min(limit, plan.firstFew() - operation.counts().reached());
    }
    OperationKind kind = plan.kind();
    return MessageQuery.newest(kind.stage(), plan.filter(), (int) Math.max(1, limit))
        .order(kind.order())
        .permitted(row -> kind.wasThere(row, plan.until()) && plan.scope().test(row))
        .budget(BUDGET)
        .cursor(operation.cursor());
  }

  /** Whether it is to wait, as one of the messages would not be sent for now. */
  public boolean waitsFor(List<MessageRow> rows, List<DestinationPause> pauses) {
    return operation.plan().kind() == OperationKind.REQUEUE
        && rows.stream()
            .anyMatch(row -> pauses.stream().anyMatch(pause -> pause.covers(row.destination())));
  }

  /** The same with nothing done, until a person resumes it. */
  public OperationRow heldUp(Instant now) {
    return put(
        with(State.PAUSED, operation.startAt(), operation.node(), null, Halt.DESTINATION_PAUSED),
        now);
  }

  /** The same after a step. */
  public OperationRow stepped(MessagePage page, ActResult result, Instant now, Duration lease) {
    Counts before = operation.counts();
    Counts counts =
        new Counts(
            before.scanned() + page.scanned().rows(),
            before.done() + result.done().size(),
            before.notFound() + result.notFound().size(),
            before.refused() + result.refused().size());
    Halt halt = page.next() == null ? null : halt(counts);
    State state = page.next() == null ? State.DONE : state(halt);
    return new OperationRow(
        new Operation(
            operation.plan(),
            state,
            operation.createdAt(),
            operation.startAt(),
            operation.node(),
            page.next(),
            counts,
            state.isEnd() ? now : null,
            halt),
        token,
        state == State.RUNNING ? now.plus(lease) : now);
  }

  private @Nullable Halt halt(Counts counts) {
    OperationPlan plan = operation.plan();
    if (counts.refused() > Operation.REFUSED_MAX) {
      return Halt.REFUSED;
    }
    if (counts.reached() >= plan.messagesMax()) {
      return Halt.MESSAGES_MAX;
    }
    boolean isFew = plan.firstFew() > 0 && counts.reached() >= plan.firstFew();
    return isFew ? Halt.FIRST_FEW : null;
  }

  private static State state(@Nullable Halt halt) {
    if (halt == null) {
      return State.RUNNING;
    }
    return halt == Halt.FIRST_FEW ? State.PAUSED : State.STOPPED;
  }

  // ---- what the audit says

  /** The entry of its begin. */
  public AuditEntry beginEntry() {
    return entry(operation.plan().by(), "begin", operation.plan().kind().name());
  }

  /** The entry of its end. */
  public AuditEntry endEntry() {
    ActBy by = operation.plan().by();
    Counts counts = operation.counts();
    String details =
        "%s: %d done, %d changed by others meanwhile, %d refused"
            .formatted(
                operation.state().name().toLowerCase(Locale.ROOT),
                counts.done(),
                counts.notFound(),
                counts.refused());
    return entry(new ActBy(by.decision(), ActBy.Via.SYSTEM, operation.plan().id()), "end", details);
  }

  /** The entry of what a person did with it. */
  public AuditEntry entry(ActBy by, Change change) {
    return entry(by, change.name().toLowerCase(Locale.ROOT), null);
  }

  /** The entry of another pace. */
  public AuditEntry rateEntry(ActBy by) {
    return entry(by, "rate", operation.plan().rate() + "/s");
  }

  private AuditEntry entry(ActBy by, String act, @Nullable String details) {
    String id = operation.plan().id().toString();
    ActBy ofIt = new ActBy(by.decision(), by.via(), operation.plan().id());
    return AuditEntry.of(ofIt, act + "-operation", TARGET, id, details);
  }

  /** Which messages may have been requeued by it and be dead again. */
  public static MessageQuery againDead(Operation operation, int limit) {
    MessageFilter meant = operation.plan().filter();
    MessageFilter dead =
        new MessageFilter(
            meant.destinations(),
            null,
            Set.of(),
            null,
            null,
            null,
            null,
            null,
            null,
            operation.createdAt(),
            null,
            null,
            0);
    return MessageQuery.newest(Stage.DEAD, dead, limit).permitted(operation.plan().scope());
  }
}
