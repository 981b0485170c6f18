package io.angarium.server.dtm;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.access.Caller;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.problem.Fault;
import io.angarium.server.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Messages of dtm as half messages, by the same {@link MessageDesk} as all others. Thread-safe. */
final class DtmDesk {
  private final MessageDesk desk;
  private final DtmSteps steps;
  private final DtmTransport transport;

  DtmDesk(MessageDesk desk, DtmSteps steps, DtmTransport transport) {
    this.desk = desk;
    this.steps = steps;
    this.transport = transport;
  }

  /**
   * Prepares a message.
   *
   * @return what it was or has become
   * @throws InvalidMessageException if it cannot be carried
   * @throws ProblemException if the caller may not
   */
  HalfAnswer prepare(Caller caller, DtmMessage message) {
    if (message.queryPrepared() == null) {
      throw DtmReading.fault(
          "query_prepared", "none", "a URL, as dtm would commit what nobody can be asked for");
    }
    return carried(() -> desk.callAllOfDtm(caller, List.of(prepared(caller, message)))).get(0);
  }

  /**
   * Commits a message, prepared before or not; see {@link #prepare}. Clients say a delay with the
   * submit only.
   */
  HalfAnswer submit(Caller caller, DtmMessage message) {
    HalfCall commit =
        new HalfCall.Commit(steps.key(message.gid()), WhenUnknown.REFUSE, message.delay());
    List<HalfAnswer> answers =
        carried(
            () ->
                desk.callAllOfDtm(
                    caller,
                    message.steps().isEmpty()
                        ? List.of(commit)
                        : List.of(prepared(caller, message), commit)));
    return answers.get(answers.size() - 1);
  }

  /** Rolls a message back; see {@link #prepare}. */
  HalfAnswer abort(Caller caller, String gid) {
    HalfKey key = steps.key(gid);
    return desk.callAllOfDtm(caller, List.of(new HalfCall.Rollback(key, WhenUnknown.REFUSE)))
        .get(0);
  }

  /** What a message has come to. */
  HalfState state(Caller caller, String gid) {
    return desk.states(caller, List.of(steps.key(gid))).get(0);
  }

  /** Answers what cannot be carried in dtm's form, no matter which part finds it. */
  private static <T> T carried(Supplier<T> work) {
    try {
      return work.get();
    } catch (ProblemException e) {
      if (e.code().equals(HalfProblem.INVALID) || e.code().equals(HalfProblem.TOO_LARGE)) {
        throw new InvalidMessageException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private HalfCall prepared(Caller caller, DtmMessage message) {
    if (message.steps().isEmpty()) {
      throw DtmReading.fault("steps", "none", "at least one");
    }
    HalfKey key = steps.key(message.gid());
    for (Message step : steps.each(message)) {
      refuse(caller.faultOf(new HalfCall.Prepare(HalfMessage.of(key, step))));
      refuse(
          transport
              .refusal(step.destination().address())
              .map(reason -> new Fault(422, HalfProblem.INVALID, "step " + reason)));
    }
    return new HalfCall.Prepare(steps.first(message));
  }

  private static void refuse(Optional<Fault> fault) {
    if (fault.isPresent()) {
      throw fault.get().exception();
    }
  }
}
