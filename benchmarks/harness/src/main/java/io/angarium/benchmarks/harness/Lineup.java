package io.angarium.benchmarks.harness;

import java.util.List;

/**
 * Who is measured: arms that take turns, and after them peers, each once. Immutable.
 *
 * @param pairs times each arm is measured
 */
record Lineup(List<Contestant> arms, int pairs, List<Contestant> peers) {
  /** Measures one of them once. */
  interface Turn {
    /** Does it; numbers are counted from 1. */
    void take(Contestant contestant, int number) throws Exception;
  }

  /** Copies the lists. */
  Lineup {
    arms = List.copyOf(arms);
    peers = List.copyOf(peers);
  }

  /** Arms alone. */
  static Lineup of(List<Contestant> arms, int pairs) {
    return new Lineup(arms, pairs, List.of());
  }

  /** In the order A B B A, so that what changes slowly in the machine is the same for all. */
  void takeTurns(Turn turn) throws Exception {
    Turns.take(arms, pairs, turn::take);
  }

  /** One peer after the other; that one cannot do it is noted, and the others go on. */
  void measurePeers(Stage stage, Recorder recorder, String parameter, Turn turn)
      throws InterruptedException {
    for (Contestant peer : peers) {
      try {
        turn.take(peer, 1);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        recorder.failed(peer, parameter, e);
      } finally {
        stage.dismiss(peer);
      }
    }
  }
}
