package io.angarium.deadletter;

import io.angarium.intake.Position;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search for dead letters found. Immutable.
 *
 * @param rows those that match, in the order of the search
 * @param next the position to continue behind; null if the search came to the end
 * @param looked how far the search came
 * @param now the database's clock at the search
 */
public record DeadLetterPage(
    List<DeadLetterRow> rows, @Nullable Position next, Looked looked, Instant now) {
  /**
   * How far a search came. Immutable.
   *
   * @param rows that were read, whether they matched or not
   * @param until when the last of them was written; null if none was read
   * @param complete false if the budget of rows or time ended the search before the page was full
   */
  public record Looked(int rows, @Nullable Instant until, boolean complete) {}

  /** Copies the list. */
  public DeadLetterPage {
    rows = List.copyOf(rows);
  }
}
