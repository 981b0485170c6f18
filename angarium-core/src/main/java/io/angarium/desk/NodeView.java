package io.angarium.desk;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A relay that has a heartbeat in the database. Immutable.
 *
 * @param node its name; empty if another node has taken the name over
 * @param incarnation of its process
 * @param takingPart whether it takes partitions; false while it rests after failures
 * @param leaseLeft how long its heartbeat is valid, by the database's clock; negative if it ended
 * @param partitions how many it holds
 * @param transports schemes of destinations that it can send to, sorted; empty if it does not say
 */
public record NodeView(
    String node,
    UUID incarnation,
    boolean takingPart,
    Duration leaseLeft,
    int partitions,
    List<String> transports) {
  /** Copies the list. */
  public NodeView {
    transports = List.copyOf(transports);
  }
}
