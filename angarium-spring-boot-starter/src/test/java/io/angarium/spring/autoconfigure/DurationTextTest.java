package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;

class DurationTextTest {
  @Test
  void springReadsWhatTextsShowAsTheSameDuration() {
    long seed = System.nanoTime();
    Random random = new Random(seed);

    for (int i = 0; i < 10_000; i++) {
      Duration duration = Duration.ofNanos(random.nextLong() >> random.nextInt(64));
      String text = DurationText.of(duration);

      assertThat(DurationStyle.SIMPLE.parse(text))
          .as("seed %d: %s", seed, text)
          .isEqualTo(duration);
      assertThat(DurationStyle.SIMPLE.parse(DurationText.of(Duration.ofSeconds(i))))
          .isEqualTo(Duration.ofSeconds(i));
    }
  }
}
