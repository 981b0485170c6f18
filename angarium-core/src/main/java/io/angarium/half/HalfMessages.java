package io.angarium.half;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Messages in two phases, for business data in another database than the outbox: prepare the
 * message, do the business transaction, then commit the message or roll it back. Nobody receives it
 * before the commit; from there on it is delivered like every other message of the outbox.
 *
 * <p>Every call may be repeated, and answers the same: repeat one that failed without an answer.
 * The opposite of a final state is refused with {@link RefusedStepException}, which names the
 * reason; {@link HalfState} has the table. A message that is prepared again stays the first one.
 * Final states are forgotten after a time; a decision repeated later than that is refused as
 * unknown.
 *
 * <p>Implementations must pass {@code HalfMessagesTck} of angarium-testkit. Methods that are added
 * will have a default. All methods block until the answer is stored for good. Thread-safe.
 */
public interface HalfMessages {
  /**
   * Stores a message that nobody receives yet. Begin the business transaction only if this returns
   * {@link HalfState#PREPARED}.
   *
   * @return {@code PREPARED}; {@code COMMITTED} or {@code UNRESOLVED} if it is so already
   * @throws RefusedStepException if it was rolled back, also beforehand
   * @throws io.angarium.InvalidMessageException if the message breaks a limit; nothing is stored
   * @throws io.angarium.StoreException if the database cannot be reached or refuses; whether it
   *     took effect is unknown
   */
  default HalfState prepare(HalfMessage message) {
    return one(new HalfCall.Prepare(message));
  }

  /**
   * Has a prepared message delivered.
   *
   * @return {@code COMMITTED}
   * @throws RefusedStepException if it was rolled back, or is unknown
   * @throws io.angarium.StoreException as in {@link #prepare}
   */
  default HalfState commit(HalfKey key) {
    return commit(key, WhenUnknown.REFUSE);
  }

  /**
   * Has a message delivered that may be prepared later than this.
   *
   * @return {@code COMMITTED}, or {@code COMMIT_REMEMBERED}
   * @throws RefusedStepException as in {@link #commit(HalfKey)}
   * @throws io.angarium.StoreException as in {@link #prepare}
   */
  default HalfState commit(HalfKey key, WhenUnknown whenUnknown) {
    return one(new HalfCall.Commit(key, whenUnknown));
  }

  /**
   * Drops a prepared message.
   *
   * @return {@code ROLLED_BACK}
   * @throws RefusedStepException if it was committed, or is unknown
   * @throws io.angarium.StoreException as in {@link #prepare}
   */
  default HalfState rollback(HalfKey key) {
    return rollback(key, WhenUnknown.REFUSE);
  }

  /**
   * Drops a message that may be prepared later than this.
   *
   * @return {@code ROLLED_BACK}, or {@code ROLLBACK_REMEMBERED}
   * @throws RefusedStepException as in {@link #rollback(HalfKey)}
   * @throws io.angarium.StoreException as in {@link #prepare}
   */
  default HalfState rollback(HalfKey key, WhenUnknown whenUnknown) {
    return one(new HalfCall.Rollback(key, whenUnknown));
  }

  private HalfState one(HalfCall call) {
    return callAll(List.of(call)).get(0).accepted();
  }

  /**
   * Makes several calls, which costs far less than one by one. Calls of one key take effect in
   * their order, while messages of different keys are sent in no particular order. A refused call
   * does not hinder the others. The calls are one transaction only if the implementation says so.
   * Many calls, or many bytes, may take several transactions, which may also hold calls of other
   * callers.
   *
   * @return an answer for each call, in the same order
   * @throws io.angarium.InvalidMessageException if a message breaks a limit; none of the calls took
   *     effect
   * @throws io.angarium.StoreException if the database cannot be reached or refuses; which of the
   *     calls took effect is unknown
   */
  List<HalfAnswer> callAll(List<HalfCall> calls);

  /**
   * What half messages have come to.
   *
   * @return a state for each key, {@link HalfState#UNKNOWN} for those that nothing is known of
   * @throws io.angarium.StoreException if the database cannot be reached or refuses
   */
  Map<HalfKey, HalfState> states(Collection<HalfKey> keys);

  /**
   * What one half message has come to.
   *
   * @return {@link HalfState#UNKNOWN} if nothing is known of it
   * @throws io.angarium.StoreException if the database cannot be reached or refuses
   */
  default HalfState state(HalfKey key) {
    return states(List.of(key)).getOrDefault(key, HalfState.UNKNOWN);
  }
}
