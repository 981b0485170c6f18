package io.angarium.board;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the node board every {@link #PAUSE} what a relay does, and every minute what became of its
 * messages, on a thread of its own. A board that fails does not concern the relay: the newest
 * minutes are told later. Thread-safe.
 */
public final class NodeTeller implements BackgroundWork, AutoCloseable {
  /** The time between two rounds. */
  public static final Duration PAUSE = Duration.ofSeconds(5);

  /** Minutes that wait for a board that fails; older ones are dropped. */
  static final int UNTOLD_MINUTES_MAX = 10;

  /** A relay that starts has its first lease by then. */
  private static final Duration FIRST = Duration.ofSeconds(1);

  /** So many rounds are a minute, for what happened lately. */
  private static final int RECENT_ROUNDS = 12;

  private static final Logger LOG = LoggerFactory.getLogger(NodeTeller.class);

  private final NodeBoard board;
  private final Supplier<RelayStatus> relay;
  private final SendCounts counts;
  private final UnreachableProducers producers;
  private final Node node;
  private final TimeSource time;
  private final RepeatingTask task;
  private final Deque<Total> totals = new ArrayDeque<>();
  private final Deque<List<MinuteOfDestination>> untold = new ArrayDeque<>();
  private Instant minute;
  private boolean closed;

  /**
   * Names a node to persons. Immutable.
   *
   * @param application which one it runs in
   * @param host the machine it runs on
   * @param version of Angarium; empty if it is not known
   */
  public record Node(String application, String host, String version) {}

  /** What had been counted at some time. */
  private record Total(long nanos, Throughput counted) {}

  /**
   * Creates it; nothing runs before {@link #start}.
   *
   * @param relay what the relay says of itself now
   * @param counts a listener of that relay
   * @param producers a listener of the check-backs of this process; empty without them
   */
  public NodeTeller(
      NodeBoard board,
      Supplier<RelayStatus> relay,
      SendCounts counts,
      UnreachableProducers producers,
      Node node,
      TimeSource time) {
    this.board = board;
    this.relay = relay;
    this.counts = counts;
    this.producers = producers;
    this.node = node;
    this.time = time;
    this.minute = thisMinute();
    this.task =
        new RepeatingTask("angarium-node-board", "Telling the node board", PAUSE, this::round);
  }

  /** Starts its thread; it tells within seconds. Does nothing if it was started before. */
  public void start() {
    task.start(FIRST);
  }

  /**
   * Does one round on the caller's thread. For tests; not to be mixed with {@link #start}. Blocks.
   */
  public void runOnce() {
    round();
  }

  private synchronized void round() {
    Instant now = thisMinute();
    if (now.isAfter(minute)) {
      endMinute();
      minute = now;
    }
    board.tell(status(false));
    tellMinutes();
  }

  private Instant thisMinute() {
    return time.instant().truncatedTo(ChronoUnit.MINUTES);
  }

  private void endMinute() {
    List<MinuteOfDestination> ended = new ArrayList<>();
    counts.take().forEach((to, counted) -> ended.add(new MinuteOfDestination(minute, to, counted)));
    if (!ended.isEmpty()) {
      untold.add(ended);
    }
    while (untold.size() > UNTOLD_MINUTES_MAX) {
      untold.remove();
    }
  }

  private void tellMinutes() {
    for (List<MinuteOfDestination> next = untold.peek(); next != null; next = untold.peek()) {
      board.tellMinute(relay.get().incarnation(), next);
      untold.remove();
    }
  }

  private NodeStatus status(boolean stopped) {
    Total now = new Total(time.nanoTime(), counts.total());
    totals.add(now);
    while (totals.size() > RECENT_ROUNDS + 1) {
      totals.remove();
    }
    Total before = totals.element();
    return new NodeStatus(
        node.application(),
        node.host(),
        node.version(),
        stopped,
        relay.get(),
        now.counted().minus(before.counted()),
        Duration.ofNanos(now.nanos() - before.nanos()),
        producers.list());
  }

  /** Why the board is not told. */
  @Override
  public Optional<String> fault() {
    return task.fault();
  }

  /**
   * Ends after the round that runs, and tells that the node has stopped. Call it after the relay
   * was closed. May be called twice.
   */
  @Override
  public void close() {
    task.close();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      try {
        endMinute();
        board.tell(status(true));
        tellMinutes();
      } catch (StoreException e) {
        LOG.debug("The node board was not told that the node has stopped", e);
      }
    }
  }
}
