package io.angarium.console.internal.calls;

import io.angarium.board.BoardView;
import io.angarium.board.NodeBoard;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.DestinationView;
import io.angarium.desk.DueBucket;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Destinations, nodes, partitions and the calendar of delayed messages. Thread-safe. */
public final class RelayCalls {
  private static final Duration STEP_DEFAULT = Duration.ofHours(1);

  private final Permits permits;

  public RelayCalls(Permits permits) {
    this.permits = permits;
  }

  /** Destinations that have messages. Immutable. */
  record Destinations(List<Counted> items, boolean complete, Instant now) {}

  /** A destination; {@code pausedUntil} is null if it is not paused. Immutable. */
  record Counted(
      String destination,
      long waiting,
      long delayed,
      long retrying,
      long held,
      long dead,
      @Nullable Instant oldest,
      boolean reachable,
      @Nullable String error,
      @Nullable Instant pausedUntil) {
    static Counted of(DestinationView view, List<DestinationPause> pauses) {
      return new Counted(
          ShownAddress.of(view.destination()),
          view.waiting(),
          view.delayed(),
          view.retrying(),
          view.held(),
          view.dead(),
          view.oldest(),
          view.reachable(),
          view.error(),
          pauses.stream()
              .filter(each -> each.covers(view.destination()))
              .map(DestinationPause::until)
              .max(Comparator.naturalOrder())
              .orElse(null));
    }
  }

  /** A partition. Immutable. */
  record Partition(
      int partition,
      BoundedCount waiting,
      @Nullable Instant oldest,
      @Nullable String node,
      boolean live,
      String epoch) {
    static Partition of(PartitionView view) {
      return new Partition(
          view.partition(),
          view.waiting(),
          view.oldest(),
          view.node(),
          view.live(),
          String.valueOf(view.epoch()));
    }
  }

  /** Who relays what. Immutable. */
  record Relay(
      List<NodeParts.Node> nodes,
      List<Partition> partitions,
      @Nullable List<BoardParts.Circuit> circuits,
      Instant now) {}

  /** Delayed messages by the time at which they are due. Immutable. */
  record Calendar(List<DueBucket> buckets, Instant now) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/destinations",
            Right.VIEW,
            "Counts the messages of each destination",
            Destinations.class,
            List.of(),
            this::destinations),
        ApiRoute.get(
            "{db}/relay",
            Right.VIEW,
            "Gives nodes, what they told last, partitions, who relays what, and circuits",
            Relay.class,
            List.of(),
            this::relay),
        ApiRoute.get(
            "{db}/delayed/calendar",
            Right.VIEW,
            "Counts delayed messages by the time at which they are due",
            Calendar.class,
            List.of("from", "to", "step"),
            this::calendar));
  }

  private Answer destinations(Call call) {
    Desk desk = call.database().desk();
    DestinationPage page = permits.ask(() -> desk.messages().destinations());
    List<DestinationPause> pauses = permits.ask(() -> desk.pauses().pauses());
    return Answer.of(
        new Destinations(
            page.destinations().stream()
                .filter(each -> call.operator().mayDestination(Right.VIEW, each.destination()))
                .map(each -> Counted.of(each, pauses))
                .toList(),
            page.complete(),
            page.now()));
  }

  private Answer relay(Call call) {
    NodeBoard told = call.database().board();
    return permits.ask(
        () -> {
          RelayView view = call.database().desk().messages().relay();
          BoardView board = told == null ? null : told.nodes();
          return Answer.of(
              new Relay(
                  NodeParts.of(view, board),
                  view.partitions().stream().map(Partition::of).toList(),
                  board == null ? null : BoardParts.circuits(board, call.operator()),
                  view.now()));
        });
  }

  private Answer calendar(Call call) {
    if (!call.operator().mayAll(Right.VIEW)) {
      throw Problem.notPermitted(
          "the calendar counts messages of all destinations (expected: a right over all of them);"
              + " search the stage 'delayed' instead");
    }
    Instant from = call.instant("from");
    Instant to = call.instant("to");
    if (from == null || to == null) {
      throw Problem.invalid("from or to: none (expected: both)");
    }
    Duration step = call.duration("step", STEP_DEFAULT);
    try {
      List<DueBucket> buckets =
          permits.ask(() -> call.database().desk().messages().calendar(from, to, step));
      return Answer.of(new Calendar(buckets, from));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }
}
