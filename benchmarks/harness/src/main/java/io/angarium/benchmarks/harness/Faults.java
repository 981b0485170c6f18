package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Arm;

/**
 * What a consumer found that must not be. Immutable.
 *
 * @param lost committed and not received
 * @param late committed and not received when the time for it was up; may still be sent
 * @param ghosts received and not committed
 * @param disorder received before an earlier one of its key
 * @param unacknowledged attempts to send, each of which explains a duplicate; {@link
 *     Arm#NOT_COUNTED} explains all
 */
record Faults(
    long lost, long late, long ghosts, long duplicates, long disorder, long unacknowledged) {
  /** When all numbers from 0 were committed, and should have arrived. */
  static Faults of(long committed, Receiver received) {
    long found = received.below(committed);
    return of(committed - found, received.arrived() - found, received);
  }

  /** When so many of them were, nobody knows which. */
  static Faults counted(long committed, Receiver received) {
    long missing = committed - received.arrived();
    return of(Math.max(0, missing), Math.max(0, -missing), received);
  }

  /**
   * When each commit was compared with its arrival.
   *
   * @param lostBefore what is missing of those that were not compared
   */
  static Faults of(Latencies latencies, long lostBefore, Receiver received) {
    return of(latencies.lost() + lostBefore, latencies.ghosts(), received);
  }

  private static Faults of(long lost, long ghosts, Receiver received) {
    return new Faults(lost, 0, ghosts, received.duplicates(), received.disorder(), Arm.NOT_COUNTED);
  }

  /** The same beside so many attempts that the broker did not acknowledge. */
  Faults after(long attempts) {
    return new Faults(lost, late, ghosts, duplicates, disorder, attempts);
  }

  /** Duplicates for which there is no reason. */
  long unexplained() {
    return Math.max(0, duplicates - unacknowledged);
  }

  /** What is missing may still be sent: the time was up before. */
  Faults unlessUnderWay() {
    return new Faults(0, lost + late, ghosts, duplicates, disorder, unacknowledged);
  }
}
