package io.angarium.desk;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one outbox in numbers. Counts end at {@link #COUNT_MAX} or before. Immutable.
 *
 * @param now the database's clock
 * @param waiting messages that are committed and not sent yet
 * @param oldestWaiting when the oldest of them was written; null if there is none
 * @param delayed messages that are planned for later
 * @param nextDue when the next of them is due; null if there is none
 * @param overdue how many of them have been due for more than a minute
 * @param retrying messages that failed and are tried again, one for each key that stands still
 * @param held messages that wait for those
 * @param stuck keys that stand still after {@link #STUCK_ATTEMPTS} attempts or more while messages
 *     wait behind them, among the {@link #STUCK_MAX} that are tried last
 * @param dead messages that were given up
 * @param deadLastHour how many of them were given up within the last hour
 * @param deadLately how many of them were given up within {@link #LATELY}
 * @param latestDeath when the latest was given up; null if there is none
 * @param unconfirmed messages that wait for their consumers; none where the feature is off
 * @param discarded messages that persons discarded, as long as they are kept
 * @param sentLastMinute messages that were sent within the last minute; null if no history is kept
 * @param history whether sent messages are kept
 */
public record Overview(
    Instant now,
    BoundedCount waiting,
    @Nullable Instant oldestWaiting,
    BoundedCount delayed,
    @Nullable Instant nextDue,
    BoundedCount overdue,
    BoundedCount retrying,
    BoundedCount held,
    BoundedCount stuck,
    BoundedCount dead,
    BoundedCount deadLastHour,
    BoundedCount deadLately,
    @Nullable Instant latestDeath,
    BoundedCount unconfirmed,
    BoundedCount discarded,
    @Nullable BoundedCount sentLastMinute,
    boolean history) {
  /** So many attempts are many for the first message of a key. */
  public static final int STUCK_ATTEMPTS = 10;

  /** Among so many keys those are counted that stand still for long. */
  public static final int STUCK_MAX = 100;

  /** What is late enough to be seen as one trouble. */
  public static final Duration LATELY = Duration.ofMinutes(10);

  /** Where counts end at the latest. */
  public static final int COUNT_MAX = 10_000;

  /**
   * Checks where counts are to end.
   *
   * @throws IllegalArgumentException if it is not 1..{@link #COUNT_MAX}
   */
  public static int requireCountMax(int countMax) {
    if (countMax < 1 || countMax > COUNT_MAX) {
      throw new IllegalArgumentException(
          "countMax: %d (expected: 1..%d)".formatted(countMax, COUNT_MAX));
    }
    return countMax;
  }
}
