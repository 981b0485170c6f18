package io.angarium.console.internal.calls;

import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeBoard;
import io.angarium.board.Throughput;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What destinations took, minute by minute. Thread-safe. */
public final class SeriesCalls {
  /** Nodes tell a minute some seconds after its end. */
  private static final Duration TOLD_AFTER = Duration.ofMinutes(2);

  private final Permits permits;

  public SeriesCalls(Permits permits) {
    this.permits = permits;
  }

  /**
   * A time. Immutable.
   *
   * @param at when it begins
   * @param p50 the delay that half of its messages did not exceed; null without messages
   */
  record Point(
      Instant at,
      long sent,
      long failed,
      long refused,
      long unavailable,
      long dead,
      @Nullable Duration p50,
      @Nullable Duration p99) {
    static Point of(Instant at, Throughput counts) {
      return new Point(
          at,
          counts.sent(),
          counts.failed(),
          counts.refused(),
          counts.unavailable(),
          counts.dead(),
          counts.delays().percentile(0.5).orElse(null),
          counts.delays().percentile(0.99).orElse(null));
    }
  }

  /**
   * Points of one length, one after the other. Immutable.
   *
   * @param points none if nothing was told of the whole time
   * @param step their length
   */
  record Points(List<Point> points, Duration step, Instant now) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/series",
            Right.VIEW,
            "Gives what destinations took, in at most 400 points; all of them, or one",
            Points.class,
            List.of("from", "to", "destination"),
            this::series));
  }

  private Answer series(Call call) {
    NodeBoard board = call.database().board();
    if (board == null) {
      throw Problem.unknown("the nodes of this database tell nothing");
    }
    Instant from = call.instant("from");
    Instant to = call.instant("to");
    if (from == null || to == null || to.isBefore(from)) {
      throw Problem.invalid("from or to: none, or not in this order (expected: both)");
    }
    if (Duration.between(from, to).compareTo(NodeBoard.MINUTES_KEPT) > 0) {
      throw Problem.invalid("from, to: longer than what is kept (expected: at most PT48H)");
    }
    return Answer.of(permits.ask(() -> read(board, call, from, to)));
  }

  private static Points read(NodeBoard board, Call call, Instant from, Instant to) {
    Duration step = MinuteQuery.stepOf(from, to);
    Instant now = board.nodes().now();
    List<String> destinations = destinations(board, call, from, to);
    SortedMap<Instant, Throughput> told =
        destinations == null
            ? new TreeMap<>()
            : board.minutes(new MinuteQuery(from, to, step, destinations));
    return new Points(filled(told, from, to, step, now), step, now);
  }

  /** What is asked for; empty for all destinations, null for none. */
  private static @Nullable List<String> destinations(
      NodeBoard board, Call call, Instant from, Instant to) {
    Operator operator = call.operator();
    String named = call.parameter("destination");
    if (named == null && operator.mayAll(Right.VIEW)) {
      return List.of();
    }
    List<String> seen =
        board.destinations(from, to).keySet().stream()
            .filter(each -> !each.equals(MinuteOfDestination.OTHER))
            .filter(each -> operator.mayDestination(Right.VIEW, each))
            .filter(each -> named == null || ShownAddress.of(each).equals(named))
            .limit(MinuteQuery.DESTINATIONS_MAX)
            .toList();
    return seen.isEmpty() ? null : seen;
  }

  /** With a point for each step in which nothing was sent, unless it may not have been told yet. */
  private static List<Point> filled(
      SortedMap<Instant, Throughput> told, Instant from, Instant to, Duration step, Instant now) {
    List<Point> points = new ArrayList<>();
    if (told.isEmpty()) {
      return points;
    }
    Instant known = now.minus(TOLD_AFTER);
    Instant last = told.lastKey();
    long seconds = step.toSeconds();
    long first = from.truncatedTo(ChronoUnit.MINUTES).getEpochSecond();
    Instant at = Instant.ofEpochSecond(first - Math.floorMod(first, seconds));
    for (; at.isBefore(to); at = at.plus(step)) {
      if (at.isAfter(last) && at.plus(step).isAfter(known)) {
        return points;
      }
      points.add(Point.of(at, told.getOrDefault(at, Throughput.NONE)));
    }
    return points;
  }
}
