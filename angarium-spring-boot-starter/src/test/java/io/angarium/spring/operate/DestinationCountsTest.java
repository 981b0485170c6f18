package io.angarium.spring.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DestinationCountsTest {
  @Test
  void destinationsBeyondTheFirstHundredAreCountedTogether() {
    DestinationCounts counts = new DestinationCounts();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 103; i++) {
        counts.add("kafka:" + i);
      }
    }

    assertThat(counts.sum()).isEqualTo(206);
    assertThat(counts.byDestination())
        .hasSize(101)
        .containsEntry("kafka:99", 2)
        .containsEntry(DestinationCounts.OTHER, 6)
        .doesNotContainKey("kafka:100");
  }
}
