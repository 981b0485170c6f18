package io.angarium.alert;

import static java.util.stream.Collectors.joining;

import io.angarium.Destination;
import io.angarium.alert.signal.Signals;
import io.angarium.board.BoardView;
import io.angarium.board.NodeStatus;
import io.angarium.board.ToldStatus;
import io.angarium.board.UnreachableProducer;
import io.angarium.desk.NodeView;
import io.angarium.internal.DurationText;
import io.angarium.internal.ShownAddress;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rules find on the node board. */
final class BoardRules {
  /** What a node told longer ago is not what it does now. */
  private static final Duration FRESH = Duration.ofSeconds(30);

  /** A node that has been gone for longer is not missed any more. */
  private static final Duration MISSED = Duration.ofMinutes(15);

  private BoardRules() {}

  /** What live nodes told last. */
  private static List<ToldStatus> live(Signals signals) {
    BoardView board = signals.board();
    return board == null
        ? List.of()
        : board.nodes().stream()
            .filter(told -> !told.status().stopped())
            .filter(told -> age(told, board).compareTo(FRESH) <= 0)
            .toList();
  }

  private static Duration age(ToldStatus told, BoardView board) {
    return Duration.between(told.toldAt(), board.now());
  }

  /**
   * Nodes that told nothing for some seconds, did not say that they stop, and have no heartbeat.
   */
  static List<Finding> silent(Signals signals, double threshold) {
    BoardView board = signals.board();
    if (board == null) {
      return List.of();
    }
    Set<String> known = new HashSet<>();
    signals.relay().nodes().stream().map(NodeView::node).forEach(known::add);
    live(signals).forEach(told -> known.add(told.status().relay().node()));
    List<Finding> found = new ArrayList<>();
    for (ToldStatus told : board.nodes()) {
      String node = told.status().relay().node();
      Duration age = age(told, board);
      boolean missed =
          !told.status().stopped()
              && age.compareTo(FRESH) > 0
              && age.toSeconds() >= threshold
              && age.compareTo(MISSED) <= 0;
      if (known.add(node) && missed) {
        found.add(
            new Finding(
                node,
                Severity.WARNING,
                age.toSeconds(),
                "Node %s told nothing for %s and did not say that it stops"
                    .formatted(node, whole(age))));
      }
    }
    return found;
  }

  /** Live nodes whose database fails often, or whose relay does not work as it should. */
  static List<Finding> failing(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>();
    for (ToldStatus told : live(signals)) {
      RelayStatus relay = told.status().relay();
      RelayStatus.StoreFailure failure = relay.storeFailure();
      String fault = relay.fault();
      int failures = failure == null ? 0 : failure.recent();
      if (fault != null) {
        found.add(finding(relay.node(), failures, "Node %s: %s".formatted(relay.node(), fault)));
      } else if (failure != null && failures > 0 && failures >= threshold) {
        found.add(
            finding(
                relay.node(),
                failures,
                "The database failed node %s %d times within %d minutes, last: %s"
                    .formatted(
                        relay.node(),
                        failures,
                        RelayStatus.StoreFailure.RECENT_MINUTES,
                        failure.text())));
      }
    }
    return found;
  }

  private static Finding finding(String node, double value, String text) {
    return new Finding(node, Severity.WARNING, value, text);
  }

  /** Circuits that are not closed, with how many of the live nodes say so. */
  static List<Finding> circuits(Signals signals, double threshold) {
    List<ToldStatus> live = live(signals);
    Set<String> unsendable = withoutTransport(signals).keySet();
    List<Finding> found = new ArrayList<>();
    circuitsOf(live)
        .forEach(
            (destination, circuits) -> {
              if (circuits.size() >= threshold && !unsendable.contains(destination)) {
                found.add(circuit(destination, circuits, live.size()));
              }
            });
    return found;
  }

  private static Map<String, List<CircuitStatus>> circuitsOf(List<ToldStatus> live) {
    Map<String, List<CircuitStatus>> all = new TreeMap<>();
    for (ToldStatus told : live) {
      for (CircuitStatus circuit : told.status().relay().circuits()) {
        String destination = ShownAddress.of(circuit.destination().toString());
        all.computeIfAbsent(destination, to -> new ArrayList<>()).add(circuit);
      }
    }
    return all;
  }

  private static Finding circuit(String destination, List<CircuitStatus> circuits, int nodes) {
    boolean everywhere = circuits.size() == nodes;
    return new Finding(
        destination,
        everywhere ? Severity.CRITICAL : Severity.WARNING,
        circuits.size(),
        "The circuit of %s is open on %s: %s"
            .formatted(
                destination,
                everywhere ? "every node" : circuits.size() + " of " + nodes + " nodes",
                circuits.get(0).reason()));
  }

  /** Open circuits of destinations whose transport no live node has. */
  static List<Finding> noTransport(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>();
    withoutTransport(signals)
        .forEach(
            (destination, nodes) ->
                found.add(
                    new Finding(
                        destination,
                        Severity.CRITICAL,
                        Math.max(threshold, nodes),
                        "No node has the transport of " + destination)));
    return found;
  }

  /** By destination, how many nodes have an open circuit for it. */
  private static Map<String, Integer> withoutTransport(Signals signals) {
    Map<String, Integer> found = new TreeMap<>();
    Set<String> transports = transports(signals);
    if (transports == null) {
      return found;
    }
    circuitsOf(live(signals))
        .forEach(
            (text, circuits) -> {
              Destination destination = circuits.get(0).destination();
              boolean named = !destination.transport().isEmpty();
              if (named && !transports.contains(destination.transport())) {
                found.put(text, circuits.size());
              }
            });
    return found;
  }

  /** What live nodes can send to; null if one of them does not say. */
  private static @Nullable Set<String> transports(Signals signals) {
    Set<String> all = new HashSet<>();
    for (NodeView node : signals.relay().nodes()) {
      if (!node.leaseLeft().isNegative()) {
        if (node.transports().isEmpty()) {
          return null;
        }
        all.addAll(node.transports());
      }
    }
    return all.isEmpty() ? null : all;
  }

  /** Producers of half messages that nodes cannot ask. */
  static List<Finding> producers(Signals signals, double threshold) {
    Map<String, UnreachableProducer> all = new TreeMap<>();
    Map<String, Integer> nodes = new TreeMap<>();
    for (ToldStatus told : live(signals)) {
      for (UnreachableProducer producer : told.status().unreachable()) {
        all.put(producer.endpoint(), producer);
        nodes.merge(producer.endpoint(), 1, Integer::sum);
      }
    }
    List<Finding> found = new ArrayList<>();
    nodes.forEach(
        (endpoint, count) -> {
          UnreachableProducer producer = all.get(endpoint);
          if (producer != null && count >= threshold) {
            found.add(
                new Finding(
                    endpoint,
                    Severity.WARNING,
                    count,
                    "The producer %s cannot be asked since %s: %s"
                        .formatted(
                            endpoint,
                            producer.since().truncatedTo(ChronoUnit.SECONDS),
                            producer.reason())));
          }
        });
    return found;
  }

  /** Live nodes whose clocks differ from that of the database. */
  static List<Finding> clocks(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>();
    for (ToldStatus told : live(signals)) {
      Duration skew = told.clockAhead().abs();
      String node = told.status().relay().node();
      if (skew.toMillis() / 1e3 > threshold) {
        found.add(
            new Finding(
                node,
                Severity.WARNING,
                skew.toMillis() / 1e3,
                "The clock of %s and that of its database differ by %s"
                    .formatted(node, whole(skew))));
      }
    }
    return found;
  }

  /** Live nodes that run different versions. */
  static List<Finding> versions(Signals signals, double threshold) {
    List<String> versions =
        live(signals).stream()
            .map(ToldStatus::status)
            .map(NodeStatus::version)
            .filter(version -> !version.isEmpty())
            .distinct()
            .sorted()
            .toList();
    return versions.size() < Math.max(2, threshold)
        ? List.of()
        : List.of(
            Finding.ofOutbox(
                Severity.INFO,
                versions.size(),
                "Nodes run different versions: "
                    + Stream.concat(
                            versions.stream().limit(5), Stream.of("…").limit(versions.size() / 6))
                        .collect(joining(", "))));
  }

  private static String whole(Duration time) {
    return DurationText.of(time.truncatedTo(ChronoUnit.SECONDS));
  }
}
