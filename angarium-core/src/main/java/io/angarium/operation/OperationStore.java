package io.angarium.operation;

import io.angarium.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The operations as nodes carry them out. Implementations must pass the contract suite {@code
 * OperationTck}. All methods block, and throw {@link StoreException} if the database cannot be
 * reached. Thread-safe.
 */
public interface OperationStore {
  /** The most messages of one {@link #step}. */
  int STEP_MAX = 200;

  /**
   * The right of a node to carry out an operation; ends when another node takes the operation, or a
   * person pauses or cancels it. Immutable.
   *
   * @param token rises each time
   */
  record Turn(UUID operation, long token) {}

  /**
   * Takes operations that are to go on and that no node holds. One cheap statement if there are
   * none.
   *
   * @param lease another node may take them after this time without a {@link #step}
   */
  List<Turn> take(String node, Duration lease);

  /**
   * Acts on the next messages in one transaction, which also moves the cursor and the counters,
   * notes the end in the audit, and prolongs the lease.
   *
   * @param messagesMax 1..{@link #STEP_MAX}
   * @param refusal why the next messages are left alone; null to act on them
   * @return the operation after it; empty if the turn has ended, and nothing was done
   */
  Optional<Operation> step(Turn turn, int messagesMax, Duration lease, @Nullable String refusal);

  /** Ends a turn, so that another node can take the operation at once. */
  void release(Turn turn);
}
