package io.angarium.relay.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SequenceAgesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SequenceAges aging = new SequenceAges(Duration.ofSeconds(3));

  @Test
  void aSequenceAgesAGraceAfterItWasSeen() {
    aging.sample(0, 10);
    aging.sample(SECOND, 20);

    assertThat(aging.aged(3 * SECOND - 1)).isZero();
    assertThat(aging.aged(3 * SECOND)).isEqualTo(10);
    assertThat(aging.aged(4 * SECOND)).isEqualTo(20);
    assertThat(aging.aged(9 * SECOND)).isEqualTo(20);
  }
}
