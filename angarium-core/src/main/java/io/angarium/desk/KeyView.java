package io.angarium.desk;

import io.angarium.Destination;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one key in the order in which they are sent. Immutable.
 *
 * @param partition where they are
 * @param node the node that relays it; null if none does
 * @param rows dead letters, retrying, held and waiting messages by sequence; a dead letter that
 *     blocks the key stands before what waits for it; at most {@link #ROWS_MAX}
 * @param complete false if there are more
 * @param lastSent the message of this key that was sent last; null if there is none, or no history
 * @param now the database's clock
 */
public record KeyView(
    Destination destination,
    String key,
    int partition,
    @Nullable String node,
    List<MessageRow> rows,
    boolean complete,
    @Nullable MessageRow lastSent,
    Instant now) {
  /** The most messages of a view. */
  public static final int ROWS_MAX = 200;

  /** Copies the list. */
  public KeyView {
    rows = List.copyOf(rows);
  }
}
