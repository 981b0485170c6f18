package io.angarium.desk;

import java.time.Instant;
import java.util.List;

/**
 * Who relays what. Immutable.
 *
 * @param nodes live ones first, then by name
 * @param partitions by number
 * @param now the database's clock
 */
public record RelayView(List<NodeView> nodes, List<PartitionView> partitions, Instant now) {
  /** Copies the lists. */
  public RelayView {
    nodes = List.copyOf(nodes);
    partitions = List.copyOf(partitions);
  }
}
