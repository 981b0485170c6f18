package io.angarium.relay.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadPacingTest {
  private static final long NOW = 1_000_000_000L;

  private final ReadPacing pace = new ReadPacing(Duration.ofMillis(5), NOW);

  @Test
  void firstLookIsMadeAtOnce() {
    assertThat(pace.nanosToDue(NOW)).isZero();
  }

  @Test
  void nextLookWaitsForAsLongAsTheLastOneTook() {
    pace.looked(NOW, NOW + 400_000);

    assertThat(pace.nanosToDue(NOW + 400_000)).isEqualTo(400_000);
    assertThat(pace.nanosToDue(NOW + 800_000)).isZero();
  }

  @Test
  void slowLookIsFollowedByTheLongestPause() {
    pace.looked(NOW, NOW + 3_000_000_000L);

    assertThat(pace.nanosToDue(NOW + 3_000_000_000L)).isEqualTo(5_000_000);
  }

  @Test
  void withoutAPauseLooksFollowEachOther() {
    ReadPacing none = new ReadPacing(Duration.ZERO, NOW);

    none.looked(NOW, NOW + 400_000);

    assertThat(none.nanosToDue(NOW + 400_000)).isZero();
  }
}
