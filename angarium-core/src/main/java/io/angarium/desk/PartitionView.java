package io.angarium.desk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One partition. Immutable.
 *
 * @param partition its number
 * @param waiting its waiting messages, counted to {@link #COUNT_MAX}
 * @param oldest when the oldest of them was written; null if there is none
 * @param node the node that relays it; null if none does
 * @param live whether that node's heartbeat is valid
 * @param epoch how often its owner changed
 */
public record PartitionView(
    int partition,
    BoundedCount waiting,
    @Nullable Instant oldest,
    @Nullable String node,
    boolean live,
    long epoch) {
  /** Where counts end. */
  public static final int COUNT_MAX = 1_001;
}
