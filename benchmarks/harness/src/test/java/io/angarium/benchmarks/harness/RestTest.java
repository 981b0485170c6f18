package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

final class RestTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration QUIET = Duration.ofMillis(250);

  @Test
  void waitsUntilTheNumberIsSmallEnough() {
    Rest rest = new Rest(LONG);

    assertThat(rest.untilAtMost(2, numbers(9, 7, 2, 1))).isEqualTo(2);
    assertThat(rest.isOver()).isFalse();
  }

  @Test
  void waitsUntilTheNumberHasNotFallenForAWhile() {
    assertThat(new Rest(LONG).untilNotFalling(QUIET, numbers(9, 7, 8, 4, 5, 5, 5, 5, 5)))
        .isEqualTo(5);
  }

  @Test
  void waitsUntilTheNumberHasNotRisenForAWhile() {
    assertThat(new Rest(LONG).untilNotRising(QUIET, numbers(1, 1, 2, 2, 3, 3, 3, 3, 3)))
        .isEqualTo(3);
  }

  @Test
  void givesUpWhenTheTimeIsUp() {
    Rest rest = new Rest(Duration.ZERO);

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
