package io.angarium.crash;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stops a producer around its calls, and knows which commits were answered. Thread-safe. */
final class WatchedHalfMessages implements HalfMessages {
  private final HalfMessages real;
  private final Tripwire wire;
  private final Set<String> answered = ConcurrentHashMap.newKeySet();

  WatchedHalfMessages(HalfMessages real, Tripwire wire) {
    this.real = real;
    this.wire = wire;
  }

  /** True if the centre said that it is committed; is forgotten then. */
  boolean takeAnswered(String key) {
    return answered.remove(key);
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    HalfCall call = calls.get(0); // one by one, as TransactionalMessages calls
    if (call instanceof HalfCall.Prepare) {
      wire.pass(ProducerPoint.BEFORE_PREPARE);
    } else if (call instanceof HalfCall.Commit) {
      wire.pass(ProducerPoint.AFTER_TRANSACTION);
    }
    List<HalfAnswer> answers = real.callAll(calls);
    if (call instanceof HalfCall.Prepare) {
      wire.pass(ProducerPoint.AFTER_PREPARE);
    } else if (answers.get(0).state() == HalfState.COMMITTED) {
      answered.add(call.key().key());
      wire.pass(ProducerPoint.AFTER_COMMIT);
    }
    return answers;
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    return real.states(keys);
  }
}
