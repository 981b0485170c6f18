package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

final class RestTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration QUIET = Duration.ofMillis(250);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private long nanos;

  private Rest rest(Duration patience) {
    return new Rest(patience, () -> nanos, () -> nanos += PAUSE.toNanos());
  }

  @Test
  void waitsUntilTheNumberIsSmallEnough() {
    Rest rest = rest(LONG);

    assertThat(rest.untilAtMost(2, numbers(9, 7, 2, 1))).isEqualTo(2);
    assertThat(rest.isOver()).isFalse();
  }

  @Test
  void waitsUntilTheNumberHasNotFallenForAWhile() {
    assertThat(rest(LONG).untilNotFalling(QUIET, numbers(9, 7, 8, 4, 5, 5, 5, 2))).isEqualTo(5);
  }

  @Test
  void waitsUntilTheNumberHasNotRisenForAWhile() {
    assertThat(rest(LONG).untilNotRising(QUIET, numbers(1, 1, 2, 2, 3, 3, 3, 3, 4))).isEqualTo(3);
  }

  @Test
  void looksOnceMoreAfterALookThatTookLong() {
    Rest.Look<RuntimeException> numbers = numbers(1, 1, 2, 2, 2, 3);
    Rest.Look<RuntimeException> slow =
        () -> {
          long number = numbers.now();
          nanos += 2 * QUIET.toNanos();
          return number;
        };

    assertThat(rest(LONG).untilNotRising(QUIET, slow)).isEqualTo(2);
  }

  @Test
  void givesUpWhenTheTimeIsUp() {
    Rest rest = rest(Duration.ZERO);

    assertThat(rest.untilAtMost(2, numbers(9))).isEqualTo(9);
    assertThat(rest.isOver()).isTrue();
  }

  private static Rest.Look<RuntimeException> numbers(long... numbers) {
    Iterator<Long> rest = Arrays.stream(numbers).iterator();
    long[] last = new long[1];
    return () -> {
      if (rest.hasNext()) {
        last[0] = rest.next();
      }
      return last[0];
    };
  }
}
