package io.angarium.alert;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Something that a rule has found. Times are by the database's clock. Immutable.
 *
 * @param key what it is about
 * @param state whether it is on
 * @param severity how much it matters
 * @param value the number that was too large when it was found last
 * @param text what was found last
 * @param episode how often it was on, from 1; 0 while it has never been
 * @param since when it was found first, this time
 * @param absentSince since when it is not found any more; null while it is
 * @param resolvedAt when it was over; null while it is not
 * @param taken who takes care of it; null before somebody does and after it is over
 */
public record Alert(
    AlertKey key,
    AlertState state,
    Severity severity,
    double value,
    String text,
    long episode,
    Instant since,
    @Nullable Instant absentSince,
    @Nullable Instant resolvedAt,
    @Nullable Taken taken) {
  /** The order in which people see alerts: those that are on, the worst, the latest. */
  public static final Comparator<Alert> URGENT_FIRST =
      Comparator.comparing((Alert alert) -> alert.state() != AlertState.FIRING)
          .thenComparing(Alert::severity, Comparator.reverseOrder())
          .thenComparing(Alert::since, Comparator.reverseOrder());

  /**
   * Who takes care of an alert.
   *
   * @param by who
   * @param at when it was taken
   * @param note what for; empty if nothing was said
   */
  public record Taken(String by, Instant at, String note) {}
}
