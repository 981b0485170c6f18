package io.angarium.relay;

import io.angarium.transport.SendResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A key of which something is in flight. Once an attempt failed, later messages of the key wait
 * here until everything in flight has its result and the outcome is stored. Not thread-safe: one
 * thread at a time.
 */
final class KeyState {
  final long hash;
  final int partition;

  /** True if the messages come from the parked list and are settled together. */
  final boolean parkedGroup;

  final Deque<Flight> waiting = new ArrayDeque<>(0);
  final List<Failure> failures = new ArrayList<>(0);
  final List<Flight> acknowledged = new ArrayList<>(0);
  int inFlight;
  boolean settling;

  /** True while nothing of it is in flight; it is kept for when it comes again. */
  boolean idle;

  /** True once its partition is gone: results no longer count. */
  boolean dropped;

  /** An attempt that was not acknowledged. */
  record Failure(Flight flight, SendResult result) {}

  KeyState(long hash, int partition, boolean parkedGroup) {
    this.hash = hash;
    this.partition = partition;
    this.parkedGroup = parkedGroup;
  }

  /** True if another message of the key must not be handed over now. */
  boolean mustWait(boolean chained) {
    return settling || !failures.isEmpty() || !waiting.isEmpty() || (chained && inFlight > 0);
  }
}
