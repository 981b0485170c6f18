package io.angarium.pause;

import io.angarium.StoreException;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The pauses as relays ask for them. Implementations must pass the contract suite {@code PauseTck}.
 * All methods block, and throw {@link StoreException} if the database cannot be reached.
 * Thread-safe.
 */
public interface PauseStore {
  /** A version that no store has: everything is news. */
  long NONE_KNOWN = -1;

  /**
   * The pauses in force, unless no act has changed them.
   *
   * @param version of what is known; {@link #NONE_KNOWN} if nothing is
   * @return empty if it is still the version
   */
  Optional<InForce> changedSince(long version);

  /**
   * Notes that a node sends nothing to the destinations paused at a version, and has nothing of
   * them under way.
   */
  void applied(NodeId node, long version);

  /**
   * The pauses in force at a version. Immutable.
   *
   * @param version rises with every act
   */
  record InForce(long version, List<Remaining> pauses) {
    /** Copies the list. */
    public InForce {
      pauses = List.copyOf(pauses);
    }
  }

  /**
   * How long a pause lasts from now on. Immutable.
   *
   * @param destinations in their text form; a star stands for any characters
   */
  record Remaining(String destinations, Duration length) {}
}
