package io.angarium.reconciliation;

import io.angarium.StoreException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks keep their reports for persons and alerts. Each call is a transaction of its own,
 * blocks, and throws {@link StoreException} if the database cannot be reached. Implementations must
 * pass the contract suite {@code ReportTck}. Thread-safe.
 */
public interface ReportShelf {
  /** How long a report is kept that agrees. */
  Duration AGREEING_KEPT = Duration.ofDays(7);

  /** How long a report is kept that differs. */
  Duration DIFFERING_KEPT = Duration.ofDays(90);

  /**
   * Keeps a report, and deletes some that are old enough. It takes the place of an earlier one of
   * the same task and window, whose repair stays noted only if both sides agree now.
   *
   * @param task 1..100 characters
   * @param destination where the messages of the first side go; null if they cannot be sent again
   */
  void keep(String task, @Nullable String destination, Report report);

  /**
   * Notes that a task has sent missing messages again by itself.
   *
   * @param by who did it, at most 128 characters
   * @param reason why, at most 1000 characters
   */
  void repaired(String task, Window window, int sentAgain, String by, String reason);

  /**
   * Reads reports that differ and about which nothing was done, latest first.
   *
   * @param age only those compared within this time
   * @param limit the most reports
   */
  List<StoredReport> open(Duration age, int limit);
}
