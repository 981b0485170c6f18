package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LineupTest {
  @Test
  void everySecondRoundIsInTheOppositeOrder() throws Exception {
    List<String> turns = new ArrayList<>();

    Lineup.of(List.of(Contestant.RAW, Contestant.ANGARIUM), 3)
        .takeTurns((arm, number) -> turns.add(arm.name() + number));

    assertThat(turns)
        .containsExactly("raw1", "angarium1", "angarium2", "raw2", "raw3", "angarium3");
  }
}
