package io.angarium.benchmarks.harness;

import java.util.List;
import java.util.function.Consumer;

/**
 * Who is measured: arms that take turns, and after them peers, which take turns, too. Immutable.
 *
 * @param pairs times each arm is measured
 * @param peerRounds times each peer is measured
 */
record Lineup(List<Contestant> arms, int pairs, List<Contestant> peers, int peerRounds) {
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

  /** Peers once: most take long. */
  Lineup(List<Contestant> arms, int pairs, List<Contestant> peers) {
    this(arms, pairs, peers, 1);
  }

  /** Arms alone. */
  static Lineup of(List<Contestant> arms, int pairs) {
    return new Lineup(arms, pairs, List.of());
  }

  /** Peers so many times. */
  Lineup withPeerRounds(int rounds) {
    return new Lineup(arms, pairs, peers, rounds);
  }

  /** In the order A B B A, so that what changes slowly in the machine is the same for all. */
  void takeTurns(Turn turn) throws Exception {
    Turns.take(arms, pairs, turn::take);
  }

  /**
   * In the same order; that a peer cannot do it is noted, and the others go on.
   *
   * @param dismiss ends what a peer leaves running; called after its last round, and after a
   *     failure
   */
  void measurePeers(Recorder recorder, String parameter, Turn turn, Consumer<Contestant> dismiss)
      throws Exception {
    Turns.take(
        peers,
        peerRounds,
        (peer, number) -> {
          boolean measured = false;
          try {
            turn.take(peer, number);
            measured = true;
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            recorder.failed(peer, parameter, e);
          } finally {
            if (!measured || number == peerRounds) {
              dismiss.accept(peer);
            }
          }
        });
  }
}
