package io.angarium.console.internal.calls;

import static java.util.Comparator.comparing;

import io.angarium.board.BoardView;
import io.angarium.board.DelayBuckets;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.board.ToldStatus;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.internal.ShownAddress;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What persons see of the node board. */
final class BoardParts {
  /** What a node told longer ago is not what it does now. */
  static final Duration FRESH = Duration.ofSeconds(15);

  /** The most circuits that are shown. */
  static final int CIRCUITS_MAX = 50;

  private BoardParts() {}

  /**
   * Rates per second of all live nodes, within the last minute. Immutable.
   *
   * @param p50 the delay that half of the messages did not exceed, from their creation to the
   *     acknowledgement; null without messages
   */
  record Rates(
      double sent,
      double failed,
      double refused,
      double unavailable,
      double dead,
      @Nullable Duration p50,
      @Nullable Duration p99) {}

  /**
   * A destination that does not take messages as usual. Immutable.
   *
   * @param state the worst of all nodes
   * @param since when the first of them noticed
   * @param nextProbe when it is tried next
   * @param nodes how many nodes say so
   */
  record Circuit(
      String destination,
      CircuitState state,
      String reason,
      Instant since,
      @Nullable Instant nextProbe,
      int nodes) {}

  /** Live nodes that told what they do now. */
  static Stream<NodeStatus> live(BoardView board) {
    return board.nodes().stream()
        .filter(told -> isFresh(told, board.now()))
        .map(ToldStatus::status)
        .filter(status -> !status.stopped());
  }

  private static boolean isFresh(ToldStatus told, Instant now) {
    return Duration.between(told.toldAt(), now).compareTo(FRESH) <= 0;
  }

  static Rates rates(BoardView board) {
    double sent = 0;
    double failed = 0;
    double refused = 0;
    double unavailable = 0;
    double dead = 0;
    DelayBuckets delays = DelayBuckets.NONE;
    for (NodeStatus status : live(board).toList()) {
      Throughput recent = status.recent();
      double seconds = Math.max(1, status.recentTime().toMillis() / 1e3);
      sent += recent.sent() / seconds;
      failed += recent.failed() / seconds;
      refused += recent.refused() / seconds;
      unavailable += recent.unavailable() / seconds;
      dead += recent.dead() / seconds;
      delays = delays.plus(recent.delays());
    }
    return new Rates(
        rounded(sent),
        rounded(failed),
        rounded(refused),
        rounded(unavailable),
        rounded(dead),
        delays.percentile(0.5).orElse(null),
        delays.percentile(0.99).orElse(null));
  }

  /** Fractions of a thousandth would be another answer at each look. */
  private static double rounded(double rate) {
    return Math.round(rate * 1e3) / 1e3;
  }

  /** Circuits that are not closed on some node, of destinations that somebody may see. */
  static List<Circuit> circuits(BoardView board, Operator operator) {
    Map<String, List<CircuitStatus>> told = new HashMap<>();
    live(board)
        .flatMap(status -> status.relay().circuits().stream())
        .filter(each -> operator.mayDestination(Right.VIEW, each.destination().toString()))
        .forEach(
            each ->
                told.computeIfAbsent(each.destination().toString(), to -> new ArrayList<>())
                    .add(each));
    return told.entrySet().stream()
        .map(each -> circuit(each.getKey(), each.getValue()))
        .sorted(comparing(Circuit::since).thenComparing(Circuit::destination))
        .limit(CIRCUITS_MAX)
        .toList();
  }

  private static Circuit circuit(String destination, Collection<CircuitStatus> told) {
    CircuitStatus worst = told.stream().min(comparing(CircuitStatus::state)).orElseThrow();
    return new Circuit(
        ShownAddress.of(destination),
        worst.state(),
        worst.reason(),
        told.stream().map(CircuitStatus::since).min(Instant::compareTo).orElseThrow(),
        worst.nextProbe(),
        told.size());
  }
}
