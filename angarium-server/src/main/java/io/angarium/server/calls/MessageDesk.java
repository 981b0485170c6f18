package io.angarium.server.calls;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.half.HalfProblem;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.Fault;
import io.angarium.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes calls of callers: none of a request takes effect if one may not be made or is wrong.
 * Thread-safe.
 */
public final class MessageDesk {
  private static final Logger LOG = LoggerFactory.getLogger(MessageDesk.class);

  private final HalfMessages half;
  private final MessageIntake intake;
  private final CheckBackAddresses checkBacks;
  private final UndecidedQuota quota;
  private final AtomicBoolean failing = new AtomicBoolean();

  public MessageDesk(
      HalfMessages half,
      MessageIntake intake,
      CheckBackAddresses checkBacks,
      UndecidedQuota quota) {
    this.half = half;
    this.intake = intake;
    this.checkBacks = checkBacks;
    this.quota = quota;
  }

  /**
   * Makes one call of a request that is counted already.
   *
   * @throws ProblemException if the caller may not
   * @throws io.angarium.half.RefusedStepException if its half message cannot follow
   */
  public HalfState call(Caller caller, HalfCall call) {
    Optional<Fault> fault = faultOf(caller, call);
    if (fault.isPresent()) {
      throw fault.get().exception();
    }
    return watched(() -> quota.call(half, List.of(call))).get(0).accepted();
  }

  /** Makes calls together; see {@link #call}. */
  public List<HalfAnswer> callAll(Caller caller, List<HalfCall> calls) {
    refuse(calls, call -> faultOf(caller, call));
    return made(calls);
  }

  /** Makes calls with what steps of dtm alone may have; see {@link #call}. */
  public List<HalfAnswer> callAllOfDtm(Caller caller, List<HalfCall> calls) {
    refuse(calls, call -> caller.faultOf(call).or(() -> checkBacks.faultOfAddress(call)));
    return made(calls);
  }

  private List<HalfAnswer> made(List<HalfCall> calls) {
    try {
      return watched(() -> quota.call(half, calls));
    } catch (InvalidMessageException e) {
      refuse(calls, this::invalidity);
      throw e;
    }
  }

  private Optional<Fault> faultOf(Caller caller, HalfCall call) {
    return caller.faultOf(call).or(() -> checkBacks.faultOf(call));
  }

  /** Asks; see {@link #call}. */
  public List<HalfState> states(Caller caller, List<HalfKey> keys) {
    refuse(keys, caller::faultOf);
    Map<HalfKey, HalfState> states = watched(() -> half.states(keys));
    return keys.stream().map(key -> states.getOrDefault(key, HalfState.UNKNOWN)).toList();
  }

  /** Names all that have the fault of the first one, so that their callers alone are told. */
  private static <T> void refuse(List<T> calls, Function<T, Optional<Fault>> check) {
    Map<Integer, Fault> faults = new TreeMap<>();
    for (int i = 0; i < calls.size(); i++) {
      int number = i;
      check.apply(calls.get(i)).ifPresent(fault -> faults.put(number, fault));
    }
    if (faults.isEmpty()) {
      return;
    }
    Fault first = faults.values().iterator().next();
    List<Integer> alike = new ArrayList<>();
    faults.forEach(
        (number, fault) -> {
          if (fault.code().equals(first.code())) {
            alike.add(number);
          }
        });
    throw new ProblemException(first.status(), first.code(), first.detail(), alike);
  }

  private Optional<Fault> invalidity(HalfCall call) {
    if (call instanceof HalfCall.Prepare prepare) {
      try {
        intake.accept(prepare.message().message(), Handover.NONE);
      } catch (InvalidMessageException e) {
        return Optional.of(new Fault(422, HalfProblem.INVALID, String.valueOf(e.getMessage())));
      }
    }
    return Optional.empty();
  }

  /** Callers are told that it failed; why is for the operator, once. */
  private <T> T watched(Supplier<T> work) {
    try {
      T result = work.get();
      if (failing.get() && failing.compareAndSet(true, false)) {
        LOG.info("Calls for half messages reach the database again");
      }
      return result;
    } catch (StoreException e) {
      if (failing.compareAndSet(false, true)) {
        LOG.warn(
            "The database refused calls for half messages, whose callers are told to repeat them",
            e);
      } else {
        LOG.debug("The database refused calls for half messages again", e);
      }
      throw e;
    }
  }
}
