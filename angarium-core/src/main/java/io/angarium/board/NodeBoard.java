package io.angarium.board;

import io.angarium.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;

/**
 * Where the relay nodes of a database write down what they do, for persons and rules to read. Nodes
 * themselves are never asked. All methods block, commit before they return, and throw {@link
 * StoreException} if the database cannot be reached. Implementations must pass the contract suite
 * {@code NodeBoardTck}. Thread-safe.
 */
public interface NodeBoard {
  /** How long the minutes are kept. */
  Duration MINUTES_KEPT = Duration.ofDays(2);

  /** How long the last status of a node that is gone is kept. */
  Duration STATUS_KEPT = Duration.ofDays(1);

  /** The most destinations that {@link #destinations} gives. */
  int DESTINATIONS_MAX = 500;

  /** Tells what a node does, in the place of what its incarnation told before. */
  void tell(NodeStatus status);

  /**
   * Tells what a node did within a minute, in the place of what its incarnation told of that minute
   * before.
   *
   * @param incarnation of the node
   * @param minutes all of one minute, each destination once
   */
  void tellMinute(UUID incarnation, List<MinuteOfDestination> minutes);

  /** What all nodes told last. What cannot be read is left out. */
  BoardView nodes();

  /**
   * Sums up minutes over all nodes.
   *
   * @return by the beginning of each point; points without anything are absent
   */
  SortedMap<Instant, Throughput> minutes(MinuteQuery query);

  /**
   * Sums up minutes over all nodes for each destination.
   *
   * @param from when the first minute begins
   * @param to when the last one ends, exclusive
   * @return by destination, those with most first, {@link #DESTINATIONS_MAX} at most
   */
  Map<String, Throughput> destinations(Instant from, Instant to);
}
