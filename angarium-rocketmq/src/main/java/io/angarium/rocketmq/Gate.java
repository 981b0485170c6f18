package io.angarium.rocketmq;

import io.angarium.MessageId;
import java.util.HashMap;
import java.util.Map;

/**
 * Closes a topic to one caller for a moment after a failure: who hands over may not have seen the
 * result yet, and must not have a later message stored before the one that failed. Other keys may
 * pass, and so may the first that failed of a key: who hands it over again has seen all results of
 * that key. Guarded by the lock of {@link Queues}.
 */
final class Gate {
  private final RocketCaller caller;

  /** Results of so many failures are being given; their keys are not open to everybody yet. */
  private int failing;

  /** In this call and those before, a key is open only from the first of it that failed. */
  private long closedThroughCall;

  /** The first of each key that failed and was not handed over again since. */
  private final Map<String, MessageId> failedFirst = new HashMap<>(0);

  Gate(RocketCaller caller) {
    this.caller = caller;
  }

  /** True if it is of no use any more. */
  boolean isOpenTo(RocketAttempt attempt) {
    return failing == 0 && attempt.call.number() > closedThroughCall;
  }

  /** True if it would be open to the next call. */
  boolean isForgettable() {
    return failing == 0 && closedThroughCall < caller.calls();
  }

  /** True if a message must not go, for its caller may not know of a failure yet. */
  boolean blocks(String key, MessageId id) {
    return failedFirst.containsKey(key) && !failedFirst.remove(key, id);
  }

  void failing() {
    failing++;
  }

  /** Notes that a message failed; messages of a key are noted in their order. */
  void fails(String key, MessageId id) {
    failedFirst.putIfAbsent(key, id);
  }

  /**
   * Results of a failure have been given; the call that begins next may not know of them either.
   */
  void failed() {
    failing--;
    closedThroughCall = caller.calls() + 1;
  }
}
