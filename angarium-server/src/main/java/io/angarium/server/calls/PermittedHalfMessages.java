package io.angarium.server.calls;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.Fault;
import io.angarium.server.problem.ProblemException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Half messages as one caller may use them. What the caller is not permitted to do is an invalid
 * message. Thread-safe.
 */
public final class PermittedHalfMessages implements HalfMessages {
  private final HalfMessages half;
  private final Caller caller;
  private final CheckBackAddresses checkBacks;
  private final UndecidedQuota quota;
  private final Function<ProblemException, RuntimeException> tooMany;

  /**
   * @param tooMany what is thrown if the quota refuses
   */
  public PermittedHalfMessages(
      HalfMessages half,
      Caller caller,
      CheckBackAddresses checkBacks,
      UndecidedQuota quota,
      Function<ProblemException, RuntimeException> tooMany) {
    this.half = half;
    this.caller = caller;
    this.checkBacks = checkBacks;
    this.quota = quota;
    this.tooMany = tooMany;
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    for (HalfCall call : calls) {
      Optional<Fault> fault = caller.faultOf(call).or(() -> checkBacks.faultOf(call));
      if (fault.isPresent()) {
        throw new InvalidMessageException(fault.get().detail());
      }
    }
    try {
      return quota.call(half, calls);
    } catch (ProblemException e) {
      throw tooMany.apply(e);
    }
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    return half.states(keys);
  }
}
