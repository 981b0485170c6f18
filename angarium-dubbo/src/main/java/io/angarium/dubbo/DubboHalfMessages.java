package io.angarium.dubbo;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.internal.remote.GroupCommit;
import io.angarium.half.internal.remote.HalfReply;
import io.angarium.half.internal.remote.StateQueries;
import io.angarium.intake.MessageIntake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Half messages on a server, over Dubbo: {@link HalfMessageService} is the other side. Calls that
 * are made at the same time share requests, see {@link DubboHalfConfig.Limits}; a {@link #callAll}
 * that is larger than a request may be is several, one after the other. A message is checked here
 * first, and by the server against its own limits: if a later request fails, for whatever reason,
 * those before took effect, what they did stands, and a {@link io.angarium.StoreException} says so.
 *
 * <p>Besides what {@link HalfMessages} says, every method throws {@link
 * io.angarium.half.NotPermittedException} if the server does not know the API key or does not
 * permit the call. Waits are not interruptible; each has an end. Thread-safe.
 */
public final class DubboHalfMessages implements HalfMessages, AutoCloseable {
  private final MessageIntake intake;
  private final DubboHalfConnection connection;
  private final GroupCommit<FieldsOfCall> groups;
  private final StateQueries questions;

  /** A call as it is sent. */
  private record FieldsOfCall(HalfKey key, HalfStep step, Map<String, Object> fields, long bytes)
      implements GroupCommit.Call {}

  private DubboHalfMessages(DubboHalfConfig config, MessageIntake intake) {
    GroupCommit.Limits limits = limits(config.limits());
    this.intake = intake;
    this.connection = new DubboHalfConnection(config);
    this.groups = new GroupCommit<>(this::request, limits);
    this.questions = new StateQueries(this::ask, limits);
  }

  /**
   * Opens a client with a Dubbo of its own; connects with the first call.
   *
   * @param intake checks messages and completes them, e.g. with the trace, as for an outbox
   */
  public static DubboHalfMessages open(DubboHalfConfig config, MessageIntake intake) {
    return new DubboHalfMessages(config, intake);
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    return groups.run(calls.stream().map(this::fields).toList());
  }

  private static GroupCommit.Limits limits(DubboHalfConfig.Limits given) {
    return new GroupCommit.Limits(given.requests(), given.calls(), given.bytes());
  }

  /** By the caller's own thread, so that what is wrong with it fails nobody else. */
  private FieldsOfCall fields(HalfCall call) {
    Map<String, Object> fields = CallMaps.of(call.accepted(intake));
    long bytes = CallMaps.bytes(fields);
    if (bytes > DubboHalfConfig.Limits.BYTES_MAX) {
      throw new InvalidMessageException(
          "half message "
              + call.key()
              + ": "
              + bytes
              + " bytes over Dubbo (expected: at most "
              + DubboHalfConfig.Limits.BYTES_MAX
              + "); use HTTP or gRPC for larger ones");
    }
    return new FieldsOfCall(call.key(), call.step(), fields, bytes);
  }

  private HalfReply<HalfAnswer> request(List<FieldsOfCall> calls) {
    List<Map<String, Object>> fields = new ArrayList<>(calls.size());
    calls.forEach(call -> fields.add(call.fields()));
    return connection.call(
        service -> service.callAll(fields),
        answer -> AnswerReading.answers(answer, calls.stream().map(FieldsOfCall::key).toList()));
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    return questions.ask(keys);
  }

  private HalfReply<HalfState> ask(List<HalfKey> keys) {
    List<Map<String, Object>> fields = new ArrayList<>(keys.size());
    keys.forEach(key -> fields.add(CallMaps.of(key)));
    return connection.call(
        service -> service.states(fields), answer -> AnswerReading.states(answer, keys.size()));
  }

  /** How many callers wait for their turn. */
  int waiting() {
    return groups.waiting();
  }

  /** Ends the connections; calls after it fail. May be called twice. */
  @Override
  public void close() {
    connection.close();
  }
}
