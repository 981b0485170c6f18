package io.angarium.benchmarks.harness;

/**
 * What a consumer found that must not be. Immutable.
 *
 * @param lost committed and not received
 * @param ghosts received and not committed
 * @param disorder received before an earlier one of its key
 */
record Faults(long lost, long ghosts, long duplicates, long disorder) {
  /** When all that was committed should have arrived. */
  static Faults of(long committed, Receiver received) {
    long missing = committed - received.arrived();
    return of(Math.max(0, missing), Math.max(0, -missing), received);
  }

  /** When each commit was compared with its arrival. */
  static Faults of(Latencies latencies, Receiver received) {
    return of(latencies.lost(), latencies.ghosts(), received);
  }

  private static Faults of(long lost, long ghosts, Receiver received) {
    return new Faults(lost, ghosts, received.duplicates(), received.disorder());
  }

  /** What is missing may still be sent: the time was up before. */
  Faults unlessUnderWay() {
    return new Faults(0, ghosts, duplicates, disorder);
  }
}
