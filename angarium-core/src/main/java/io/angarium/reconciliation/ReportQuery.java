package io.angarium.reconciliation;

import org.jspecify.annotations.Nullable;

/**
 * Which reports are meant, latest first. Immutable.
 *
 * @param task of one task; null for all
 * @param differing only those whose sides differ
 * @param before only reports with a lower number, the last of the page before; null begins
 * @param limit 1..{@link #LIMIT_MAX}
 */
public record ReportQuery(
    @Nullable String task, boolean differing, @Nullable Long before, int limit) {
  /** The most reports of one page. */
  public static final int LIMIT_MAX = 200;

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public ReportQuery {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + LIMIT_MAX + ")");
    }
  }

  /** The latest reports of all tasks. */
  public static ReportQuery latest(int limit) {
    return new ReportQuery(null, false, null, limit);
  }
}
