package io.angarium.reconciliation;

import io.angarium.ConfigFaults;
import io.angarium.internal.DurationText;
import java.time.Duration;

/**
 * When a {@link ReconciliationTask} compares what. Immutable.
 *
 * @param task its name, 1..100 characters; tasks of one name take turns, on any number of nodes
 * @param window how much is compared at once, 1 s..7 d; default 1 h
 * @param delay how long after its end a window is compared, 0..7 d: longer than consumers lag
 *     behind; default 15 min
 * @param ageMax windows that began longer ago are left out, with an error in the log, 1 min..3650
 *     d, longer than window and delay together: after a long pause an inbox has forgotten what it
 *     processed then, and all of it would be missing. At most as long as both sides remember;
 *     default 7 d
 * @param interval how often it is looked whether a window is due, 10 ms..1 d; default 1 min
 * @param lease how long the comparison of a window may take before another node begins it anew, 10
 *     s..1 d; default 10 min
 */
public record ReconciliationConfig(
    String task,
    Duration window,
    Duration delay,
    Duration ageMax,
    Duration interval,
    Duration lease) {
  private static final int TASK_LENGTH_MAX = 100;

  /** Checks the parts. */
  public ReconciliationConfig {
    new ConfigFaults()
        .require(
            !task.isBlank() && task.length() <= TASK_LENGTH_MAX,
            "reconciliation.task",
            "'" + task + "'",
            "1.." + TASK_LENGTH_MAX + " characters")
        .range("reconciliation.window", window, Duration.ofSeconds(1), Duration.ofDays(7))
        .range("reconciliation.delay", delay, Duration.ZERO, Duration.ofDays(7))
        .range("reconciliation.age-max", ageMax, Duration.ofMinutes(1), Duration.ofDays(3650))
        .require(
            ageMax.compareTo(window.plus(delay)) > 0,
            "reconciliation.age-max",
            ageMax,
            "longer than window and delay together, " + DurationText.of(window.plus(delay)))
        .range("reconciliation.interval", interval, Duration.ofMillis(10), Duration.ofDays(1))
        .range("reconciliation.lease", lease, Duration.ofSeconds(10), Duration.ofDays(1))
        .throwIfAny();
  }

  /** An hour at a time, a quarter of an hour after its end. */
  public static ReconciliationConfig of(String task) {
    return new ReconciliationConfig(
        task,
        Duration.ofHours(1),
        Duration.ofMinutes(15),
        Duration.ofDays(7),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10));
  }

  /** A copy with windows of another length, compared some time after their end. */
  public ReconciliationConfig window(Duration window, Duration delay) {
    return new ReconciliationConfig(task, window, delay, ageMax, interval, lease);
  }

  /** A copy that looks more or less often. */
  public ReconciliationConfig interval(Duration interval) {
    return new ReconciliationConfig(task, window, delay, ageMax, interval, lease);
  }

  /** A copy that leaves out windows of another age. */
  public ReconciliationConfig ageMax(Duration ageMax) {
    return new ReconciliationConfig(task, window, delay, ageMax, interval, lease);
  }
}
