package io.angarium.relay.internal.flight;

import io.angarium.transport.SendResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A key that has messages in flight. Once an attempt has failed, later messages of the key wait
 * here until everything in flight has its result and the outcome is stored. Not thread-safe: one
 * thread at a time.
 */
public final class KeyState {
  public final long hash;
  public final int partition;

  /** True if the messages come from the parked list and are settled together. */
  public final boolean parkedGroup;

  public final Deque<InFlight> waiting = new ArrayDeque<>(0);
  public final List<Failure> failures = new ArrayList<>(0);
  public final List<InFlight> acknowledged = new ArrayList<>(0);
  public int inFlight;
  public boolean settling;

  /** True while nothing of it is in flight; it is kept for when it comes again. */
  boolean idle;

  /** True once its partition is gone: results no longer count. */
  public boolean dropped;

  /** An attempt that was not acknowledged. */
  public record Failure(InFlight flight, SendResult result) {}

  KeyState(long hash, int partition, boolean parkedGroup) {
    this.hash = hash;
    this.partition = partition;
    this.parkedGroup = parkedGroup;
  }

  /** True if another message of the key must not be handed over now. */
  public boolean mustWait(boolean chained) {
    return settling || !failures.isEmpty() || !waiting.isEmpty() || (chained && inFlight > 0);
  }
}
