package io.angarium.jdbc.internal.read;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A snapshot of PostgreSQL: which transactions had ended at one moment. Immutable.
 *
 * @param oldest the lowest number of one that had not ended
 * @param next all from this number on had not ended
 * @param numbers of those below {@code next} that had not
 */
record RunningTransactions(long oldest, long next, Set<Long> numbers) {
  /** Copies the numbers. */
  RunningTransactions {
    numbers = Set.copyOf(numbers);
  }

  /**
   * Reads a {@code pg_snapshot}.
   *
   * @param text such as {@code 10:20:10,14,15}
   */
  static RunningTransactions of(String text) {
    String[] parts = text.split(":", 3);
    Set<Long> numbers =
        Arrays.stream(parts[2].split(","))
            .filter(number -> !number.isEmpty())
            .map(Long::valueOf)
            .collect(Collectors.toSet());
    return new RunningTransactions(Long.parseLong(parts[0]), Long.parseLong(parts[1]), numbers);
  }

  /** True if one of them may have been open for long: so many have begun since. */
  boolean holdsOldOne(long begunSince) {
    return next - oldest > begunSince;
  }

  /** True if every transaction below a number that had not ended had still not later. */
  boolean allBelowRunStill(long number, RunningTransactions later) {
    return numbers.stream().allMatch(each -> each >= number || later.numbers.contains(each));
  }
}
