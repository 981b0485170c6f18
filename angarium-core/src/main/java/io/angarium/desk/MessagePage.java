package io.angarium.desk;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found. Immutable.
 *
 * @param rows in the order of the search
 * @param next where to continue, only for the implementation to read; null at the end
 * @param scanned how far the search came
 * @param now the database's clock
 */
public record MessagePage(
    List<MessageRow> rows, @Nullable String next, Scanned scanned, Instant now) {
  /** Copies the list. */
  public MessagePage {
    rows = List.copyOf(rows);
  }
}
