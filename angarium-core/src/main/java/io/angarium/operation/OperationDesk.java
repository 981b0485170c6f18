package io.angarium.operation;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.BoundedCount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where persons begin operations and look after them; any live node carries them out, also after
 * the person has left. Every act commits with its entry in the audit. Implementations must pass the
 * contract suite {@code OperationTck}. All methods block, and throw {@link StoreException} if the
 * database cannot be reached. Thread-safe.
 */
public interface OperationDesk {
  /** The most operations at a time that have not ended. */
  int OPEN_MAX = 100;

  /** The most operations of one list. */
  int LIMIT_MAX = 200;

  /** The most messages that are looked at for {@link #diedAgain}. */
  int DIED_AGAIN_MAX = 200;

  /** How long an operation that has ended is kept. */
  Duration KEPT = Duration.ofDays(30);

  /** What a person does with an operation. */
  enum Change {
    /** Nothing more happens until it is resumed. */
    PAUSE,
    /** A paused one goes on; one that waits begins at once. */
    RESUME,
    /** It ends; what is done stays done. */
    CANCEL
  }

  /**
   * Begins an operation, if there is none of its id.
   *
   * @return the one of that id
   * @throws IllegalArgumentException if there is another one of that id, or there are {@link
   *     #OPEN_MAX} already that have not ended
   */
  Operation begin(OperationPlan plan);

  /** The operation of an id; empty if there is none. */
  Optional<Operation> find(UUID id);

  /**
   * The operations that began last, newest first.
   *
   * @param limit 1..{@link #LIMIT_MAX}
   */
  List<Operation> newest(int limit);

  /**
   * Changes the state of an operation. Once it returns, no node changes another message for one
   * that is paused or cancelled.
   *
   * @return false if there is none of that id, or its state does not permit the change
   */
  boolean change(UUID id, Change change, ActBy by);

  /**
   * Changes the pace of an operation that has not ended.
   *
   * @param rate messages a second, 1..{@link OperationPlan#RATE_MAX}
   * @return false if there is none of that id, or it has ended
   */
  boolean rate(UUID id, int rate, ActBy by);

  /** The first messages that it left alone, at most {@link Operation#REFUSED_MAX}. */
  List<Operation.Refusal> refusals(UUID id);

  /**
   * Counts messages that the operation requeued and that are dead letters again. Looks at the
   * newest {@link #DIED_AGAIN_MAX} dead letters.
   */
  BoundedCount diedAgain(UUID id);
}
