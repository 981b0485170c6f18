package io.angarium.board;

import java.time.Instant;
import java.util.List;

/**
 * What all nodes told last. Immutable.
 *
 * @param nodes one for each start of a node, the latest first, {@link #NODES_MAX} at most
 * @param now the database's clock
 */
public record BoardView(List<ToldStatus> nodes, Instant now) {
  /** The most nodes. */
  public static final int NODES_MAX = 200;

  /** Copies the list. */
  public BoardView {
    nodes = List.copyOf(nodes);
  }
}
