package io.angarium.console.internal.calls;

import io.angarium.console.access.Grant;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.MessageFilter;
import io.angarium.internal.ShownAddress;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationDesk.Change;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Acts on many messages: persons begin them, nodes carry them out. Thread-safe. */
public final class OperationCalls {
  /** The most messages of an operation of somebody without the right to larger ones. */
  static final int MESSAGES_MAX = 10_000;

  private static final int LIMIT_DEFAULT = 50;

  private final Permits permits;

  public OperationCalls(Permits permits) {
    this.permits = permits;
  }

  /** What to do, with which messages, and how. Immutable. */
  record OperationRequest(
      @Nullable String kind,
      @Nullable SearchRequest filter,
      @Nullable String token,
      @Nullable String reason,
      @Nullable Integer rate,
      @Nullable Integer firstFew,
      @Nullable String delay) {}

  /** Why an operation is changed. Immutable. */
  record ChangeRequest(@Nullable String reason) {}

  /** Another pace. Immutable. */
  record RateRequest(@Nullable Integer rate, @Nullable String reason) {}

  /** What takes an operation back. Immutable. */
  record UndoRequest(@Nullable String id, @Nullable String reason) {}

  /** An operation. Immutable. */
  record Shown(
      String id,
      OperationKind kind,
      Operation.State state,
      Operation.@Nullable Halt halt,
      List<String> destinations,
      @Nullable UUID undoes,
      Instant untilAt,
      Instant createdAt,
      Instant startAt,
      @Nullable Instant endedAt,
      String createdBy,
      String reason,
      @Nullable String node,
      int rate,
      int firstFew,
      long scanned,
      long done,
      long notFound,
      long refused) {
    static Shown of(Operation operation) {
      OperationPlan plan = operation.plan();
      return new Shown(
          plan.id().toString(),
          plan.kind(),
          operation.state(),
          operation.halt(),
          plan.filter().destinations().stream().map(ShownAddress::of).toList(),
          plan.undoes(),
          plan.until(),
          operation.createdAt(),
          operation.startAt(),
          operation.endedAt(),
          plan.by().decision().by(),
          plan.by().decision().reason(),
          operation.node(),
          plan.rate(),
          plan.firstFew(),
          operation.counts().scanned(),
          operation.counts().done(),
          operation.counts().notFound(),
          operation.counts().refused());
    }
  }

  /** The operations that an operator may see. Immutable. */
  record Operations(List<Shown> items) {}

  /** A message that was left alone. Immutable. */
  record Refused(String id, String reason) {}

  /** An operation and what became of its messages. Immutable. */
  record Details(Shown operation, List<Refused> refusals, BoundedCount diedAgain) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/operations",
            Right.VIEW,
            "Lists operations, newest first",
            Operations.class,
            List.of("limit"),
            this::operations),
        ApiRoute.get(
            "{db}/operations/{id}",
            Right.VIEW,
            "Shows an operation, what it left alone, and how many of its messages are dead again",
            Details.class,
            List.of(),
            this::operation),
        ApiRoute.act(
            "PUT",
            "{db}/operations/{id}",
            Right.OPERATE,
            "Begins an operation on the messages of a preview; a node carries it out",
            OperationRequest.class,
            Shown.class,
            this::begin),
        change("pause", "Pauses an operation", Change.PAUSE),
        change("resume", "Lets a paused operation go on, or a waiting one begin", Change.RESUME),
        change("cancel", "Ends an operation; what is done stays done", Change.CANCEL),
        ApiRoute.act(
            "POST",
            "{db}/operations/{id}/rate",
            Right.OPERATE,
            "Changes the pace of an operation, in messages a second",
            RateRequest.class,
            Shown.class,
            this::rate),
        ApiRoute.act(
            "POST",
            "{db}/operations/{id}/undo",
            Right.OPERATE,
            "Begins an operation that brings back what this one discarded or cancelled",
            UndoRequest.class,
            Shown.class,
            this::undo));
  }

  private ApiRoute change(String name, String summary, Change change) {
    return ApiRoute.act(
        "POST",
        "{db}/operations/{id}/" + name,
        Right.OPERATE,
        summary,
        ChangeRequest.class,
        Shown.class,
        call -> change(call, change));
  }

  private static OperationDesk desk(Call call) {
    OperationDesk desk = call.database().operations();
    if (desk == null) {
      throw Problem.unknown("no node of this database carries out operations");
    }
    return desk;
  }

  private static boolean sees(Operator operator, Operation operation) {
    return operator.mayAll(Right.VIEW)
        || operation.plan().by().decision().by().equals(operator.name());
  }

  /** The operation that the path names; what an operator may not see is not there. */
  private static Operation found(Call call, OperationDesk desk) {
    return desk.find(call.uuid("id"))
        .filter(operation -> sees(call.operator(), operation))
        .orElseThrow(() -> Problem.unknown("no operation has this id, or it was forgotten"));
  }

  private Answer operations(Call call) {
    OperationDesk desk = desk(call);
    int limit = call.number("limit", LIMIT_DEFAULT, 1, OperationDesk.LIMIT_MAX);
    List<Operation> newest = permits.ask(() -> desk.newest(OperationDesk.LIMIT_MAX));
    return Answer.of(
        new Operations(
            newest.stream()
                .filter(operation -> sees(call.operator(), operation))
                .limit(limit)
                .map(Shown::of)
                .toList()));
  }

  private Answer operation(Call call) {
    OperationDesk desk = desk(call);
    return Answer.of(
        permits.ask(
            () -> {
              Operation operation = found(call, desk);
              UUID id = operation.plan().id();
              List<Refusal> refusals =
                  operation.counts().refused() == 0 ? List.of() : desk.refusals(id);
              return new Details(
                  Shown.of(operation),
                  refusals.stream()
                      .map(each -> new Refused(each.id().toString(), each.reason()))
                      .toList(),
                  desk.diedAgain(id));
            }));
  }

  private Answer begin(Call call) {
    UUID id = call.uuid("id");
    OperationRequest given = call.body(OperationRequest.class);
    OperationKind kind = Call.choice("kind", OperationKind.class, given.kind());
    MessageFilter filter = SearchRequest.filterOf(given.filter(), kind.stage());
    Instant until = Call.instant("token", given.token());
    if (until == null) {
      throw Problem.invalid("token: none (expected: that of a preview)");
    }
    ActBy by = call.actBy(given.reason(), id);
    return begun(
        call,
        () ->
            new OperationPlan(
                id,
                kind,
                filter,
                scope(call.operator()),
                null,
                until,
                Call.duration("delay", given.delay(), OperationPlan.DELAY),
                given.rate() == null ? OperationPlan.RATE : given.rate(),
                given.firstFew() == null ? 0 : given.firstFew(),
                messagesMax(call.operator()),
                by));
  }

  private Answer begun(Call call, Supplier<OperationPlan> plans) {
    OperationDesk desk = desk(call);
    try {
      OperationPlan plan = plans.get();
      Optional<Operation> there = permits.ask(() -> desk.find(plan.id()));
      if (there.isPresent() && !there.get().plan().isSame(plan)) {
        throw Problem.conflict("another operation has this id (expected: an id of its own)");
      }
      return Answer.of(Shown.of(permits.ask(() -> desk.begin(plan))));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private static long messagesMax(Operator operator) {
    return operator.mayAll(Right.ADMIN) ? Long.MAX_VALUE : MESSAGES_MAX;
  }

  /** It may reach no message that this operator may not change now. */
  private static void requireItsRights(Operator operator, OperationPlan plan, boolean onwards) {
    boolean all = operator.mayAll(Right.OPERATE) || scope(operator).equals(plan.scope());
    boolean large = onwards && plan.messagesMax() > MESSAGES_MAX;
    if (!all || (large && !operator.mayAll(Right.ADMIN))) {
      throw Problem.notPermitted(
          "'%s' may not do this with an operation that reaches messages beyond their rights; ask who began it"
              .formatted(operator.name()));
    }
  }

  /** What the operator may change now; a node holds to it later. */
  private static OperationScope scope(Operator operator) {
    return operator.mayAll(Right.OPERATE)
        ? OperationScope.ALL
        : new OperationScope(
            operator.grants().stream()
                .filter(grant -> grant.rights().contains(Right.OPERATE))
                .map(OperationCalls::part)
                .toList());
  }

  private static OperationScope.Part part(Grant grant) {
    return new OperationScope.Part(grant.destinations(), grant.businesses());
  }

  private Answer change(Call call, Change change) {
    ActBy by = call.actBy(call.body(ChangeRequest.class).reason(), call.uuid("id"));
    OperationDesk desk = desk(call);
    return changed(call, desk, change == Change.RESUME, id -> desk.change(id, change, by));
  }

  private Answer rate(Call call) {
    RateRequest given = call.body(RateRequest.class);
    Integer rate = given.rate();
    if (rate == null) {
      throw Problem.invalid("rate: none (expected: 1.." + OperationPlan.RATE_MAX + ")");
    }
    ActBy by = call.actBy(given.reason(), call.uuid("id"));
    OperationDesk desk = desk(call);
    try {
      OperationPlan.requireRate(rate);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
    return changed(call, desk, true, id -> desk.rate(id, rate, by));
  }

  /** Does something with an operation; false if its state does not permit that. */
  @FunctionalInterface
  private interface Doing {
    boolean with(UUID id);
  }

  /**
   * Does something with an operation.
   *
   * @param onwards whether more messages will be changed
   */
  private Answer changed(Call call, OperationDesk desk, boolean onwards, Doing doing) {
    return Answer.of(
        permits.ask(
            () -> {
              Operation before = found(call, desk);
              requireItsRights(call.operator(), before.plan(), onwards);
              if (!doing.with(before.plan().id())) {
                throw Problem.conflict(
                    "the operation is %s (expected: a state that permits this)"
                        .formatted(before.state().name().toLowerCase(Locale.ROOT)));
              }
              return Shown.of(found(call, desk));
            }));
  }

  private Answer undo(Call call) {
    UndoRequest given = call.body(UndoRequest.class);
    String text = given.id();
    if (text == null) {
      throw Problem.invalid("id: none (expected: a new UUID for the operation that undoes)");
    }
    UUID id = Call.uuid("id", text);
    ActBy by = call.actBy(given.reason(), id);
    OperationDesk desk = desk(call);
    Operation undone = permits.ask(() -> found(call, desk));
    OperationKind kind = undone.plan().kind();
    if (kind != OperationKind.DISCARD && kind != OperationKind.CANCEL) {
      throw Problem.conflict("only an operation that discards or cancels can be undone");
    }
    if (!undone.state().isEnd()) {
      throw Problem.conflict("the operation has not ended (expected: cancel it first)");
    }
    MessageFilter since = since(undone.createdAt());
    return begun(
        call,
        () ->
            new OperationPlan(
                id,
                OperationKind.RESTORE,
                since,
                scope(call.operator()),
                undone.plan().id(),
                Instant.MAX,
                Duration.ZERO,
                OperationPlan.RATE_MAX,
                0,
                messagesMax(call.operator()),
                by));
  }

  private static MessageFilter since(Instant begin) {
    return new MessageFilter(
        List.of(), null, Set.of(), null, null, null, null, null, null, begin, null, null, 0);
  }
}
