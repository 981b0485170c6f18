package io.angarium.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayBucketsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "2, 1",
    "3, 2",
    "4, 2",
    "5, 3",
    "1024, 10",
    "1025, 11",
    "262144, 18",
    "262145, 19",
    "9223372036854775807, 19"
  })
  void bucketHoldsDelaysUpToItsPowerOfTwo(long millis, int bucket) {
    assertThat(DelayBuckets.bucket(millis)).isEqualTo(bucket);
  }

  @Test
  void percentileLiesWithinItsBucket() {
    DelayBuckets delays = counts(3, 50, 10, 50);

    assertThat(delays.percentile(0.5)).contains(Duration.ofMillis(8));
    assertThat(delays.percentile(0.25)).contains(Duration.ofMillis(6));
    assertThat(delays.percentile(0.99).orElseThrow())
        .isBetween(Duration.ofMillis(512), Duration.ofMillis(1024));
    assertThat(delays.percentile(1)).contains(Duration.ofMillis(1024));
  }

  @Test
  void percentileOfTheLastBucketIsItsLeast() {
    assertThat(counts(19, 1, 0, 0).percentile(0.5)).contains(Duration.ofMillis(262_144));
  }

  @Test
  void withoutMessagesThereIsNoPercentile() {
    assertThat(DelayBuckets.NONE.percentile(0.5)).isEmpty();
  }

  @Test
  void partOutOfRangeIsRefused() {
    assertThatThrownBy(() -> DelayBuckets.NONE.percentile(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DelayBuckets.NONE.percentile(1.01))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DelayBuckets.NONE.percentile(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void differenceIsNeverNegative() {
    assertThat(counts(1, 2, 2, 9).minus(counts(1, 5, 2, 4))).isEqualTo(counts(1, 0, 2, 5));
  }

  @Test
  void otherNumbersOfCountsAreRefused() {
    assertThatThrownBy(() -> DelayBuckets.of(1, 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20");
    assertThatThrownBy(() -> DelayBuckets.of(new long[21]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static DelayBuckets counts(int one, long ofOne, int other, long ofOther) {
    long[] counts = new long[DelayBuckets.COUNT];
    counts[one] = ofOne;
    counts[other] += ofOther;
    return DelayBuckets.of(counts);
  }
}
