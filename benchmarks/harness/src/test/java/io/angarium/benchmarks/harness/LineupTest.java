package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
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

  @Test
  void aPeerThatFailsIsNotedAndTheOthersTakeTheirTurns() throws Exception {
    Section section = new Section("light", "PostgreSQL");
    Results results = new Results();
    results.begin(section, new Run("now", "here"));
    Recorder recorder =
        new Recorder(
            results, section, new Progress(new PrintStream(OutputStream.nullOutputStream())));
    List<String> done = new ArrayList<>();
    Lineup.Turn turn =
        (peer, number) -> {
          if (peer.equals(Contestant.MODULITH) && number == 1) {
            throw new IllegalStateException("cannot");
          }
          done.add(peer.name() + number);
        };

    new Lineup(List.of(), 0, List.of(Contestant.GRUELBOX, Contestant.MODULITH))
        .withPeerRounds(2)
        .measurePeers(recorder, "keyed", turn, peer -> done.add("end of " + peer.name()));

    assertThat(done)
        .containsExactly(
            "gruelbox-tuned1",
            "end of modulith-tuned",
            "modulith-tuned2",
            "end of modulith-tuned",
            "gruelbox-tuned2",
            "end of gruelbox-tuned");
    assertThat(results.failures(section)).singleElement().asString().contains("cannot");
  }
}
