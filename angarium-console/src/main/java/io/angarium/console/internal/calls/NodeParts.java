package io.angarium.console.internal.calls;

import io.angarium.board.BoardView;
import io.angarium.board.NodeStatus;
import io.angarium.board.ToldStatus;
import io.angarium.desk.NodeView;
import io.angarium.desk.RelayView;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nodes, by their heartbeats and by what they told last. */
final class NodeParts {
  /** Nodes that have gone are shown for so long. */
  static final Duration GONE_SHOWN = Duration.ofHours(1);

  private NodeParts() {}

  /** What a node is doing. */
  enum State {
    /** Its heartbeat is valid. */
    LIVE,
    /** It takes no partitions for a while, as its sends failed. */
    RESTING,
    /** Its heartbeat has ended, and it did not say that it stops. */
    SILENT,
    /** It said that it stops. */
    STOPPED
  }

  /** A node. Immutable. */
  record Node(
      String node,
      String incarnation,
      State state,
      boolean takingPart,
      boolean live,
      @Nullable Duration leaseLeft,
      int partitions,
      List<String> transports,
      @Nullable Told told) {}

  /**
   * What a node told last. Immutable.
   *
   * @param clockAhead of the database's clock
   * @param sent per second within the last minute
   * @param fault why it does not work as it should; null if it does
   */
  record Told(
      Instant at,
      String application,
      String host,
      String version,
      @Nullable Instant startedAt,
      Duration clockAhead,
      int inFlight,
      int inFlightMax,
      double sent,
      int notClosed,
      RelayStatus.@Nullable Rest rest,
      RelayStatus.@Nullable StoreFailure storeFailure,
      @Nullable String fault) {
    static Told of(ToldStatus told) {
      NodeStatus status = told.status();
      RelayStatus relay = status.relay();
      double seconds = Math.max(1, status.recentTime().toMillis() / 1e3);
      return new Told(
          told.toldAt(),
          status.application(),
          status.host(),
          status.version(),
          relay.startedAt(),
          told.clockAhead(),
          relay.inFlight(),
          relay.inFlightMax(),
          Math.round(status.recent().sent() / seconds * 10) / 10.0,
          relay.notClosed(),
          relay.rest(),
          relay.storeFailure(),
          relay.fault());
    }
  }

  /** Nodes with a heartbeat first, then those that have gone lately, the latest start of each. */
  static List<Node> of(RelayView view, @Nullable BoardView board) {
    Map<UUID, ToldStatus> told = new LinkedHashMap<>();
    if (board != null) {
      board.nodes().forEach(each -> told.put(each.status().relay().incarnation(), each));
    }
    List<Node> nodes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (NodeView each : view.nodes()) {
      nodes.add(node(each, told.remove(each.incarnation())));
      names.add(each.node());
    }
    for (ToldStatus each : told.values()) {
      boolean shown = Duration.between(each.toldAt(), view.now()).compareTo(GONE_SHOWN) <= 0;
      if (shown && names.add(each.status().relay().node())) {
        nodes.add(gone(each));
      }
    }
    return nodes;
  }

  private static Node node(NodeView view, @Nullable ToldStatus told) {
    boolean live = PulseCalls.isLive(view);
    State state = !live ? State.SILENT : view.takingPart() ? State.LIVE : State.RESTING;
    return new Node(
        view.node(),
        view.incarnation().toString(),
        state,
        view.takingPart(),
        live,
        view.leaseLeft(),
        view.partitions(),
        view.transports(),
        told == null ? null : Told.of(told));
  }

  private static Node gone(ToldStatus told) {
    RelayStatus relay = told.status().relay();
    return new Node(
        relay.node(),
        relay.incarnation().toString(),
        told.status().stopped() ? State.STOPPED : State.SILENT,
        false,
        false,
        null,
        0,
        List.of(),
        Told.of(told));
  }
}
