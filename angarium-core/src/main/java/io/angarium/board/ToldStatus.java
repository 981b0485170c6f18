package io.angarium.board;

import java.time.Duration;
import java.time.Instant;

/**
 * What a node told last. Immutable.
 *
 * @param status what it told
 * @param toldAt when, by the database's clock
 */
public record ToldStatus(NodeStatus status, Instant toldAt) {
  /** How far the clock of the node was ahead of the database's; negative if it was behind. */
  public Duration clockAhead() {
    return Duration.between(toldAt, status.relay().at());
  }
}
