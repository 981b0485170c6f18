package io.angarium.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rounds of the same things in the order A B B A: what changes slowly is the same for all. */
final class Turns {
  private Turns() {}

  /** Measures one of them once. */
  interface Turn<T> {
    /** Does it; rounds are counted from 1. */
    void take(T thing, int round) throws Exception;
  }

  /** Every second round is in the opposite order. */
  static <T> void take(List<T> things, int rounds, Turn<T> turn) throws Exception {
    List<T> order = new ArrayList<>(things);
    for (int round = 1; round <= rounds; round++) {
      for (T thing : order) {
        turn.take(thing, round);
      }
      Collections.reverse(order);
    }
  }
}
