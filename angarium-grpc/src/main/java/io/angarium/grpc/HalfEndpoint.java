package io.angarium.grpc;

import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The methods of the service. Thread-safe. */
final class HalfEndpoint extends HalfMessagesGrpc.HalfMessagesImplBase {
  private final HalfMessages half;
  private final BoundedExecution execution;
  private final HalfFailures failures;

  HalfEndpoint(HalfMessages half, BoundedExecution execution, HalfFailures failures) {
    this.half = half;
    this.execution = execution;
    this.failures = failures;
  }

  @Override
  public void prepare(HalfWire.HalfMessage request, StreamObserver<HalfWire.Answer> to) {
    serve(() -> one(CallDecoding.prepare(request)), to);
  }

  @Override
  public void commit(HalfWire.Decision request, StreamObserver<HalfWire.Answer> to) {
    serve(() -> one(CallDecoding.commit(request)), to);
  }

  @Override
  public void rollback(HalfWire.Decision request, StreamObserver<HalfWire.Answer> to) {
    serve(() -> one(CallDecoding.rollback(request)), to);
  }

  @Override
  public void callAll(
      HalfWire.CallAllRequest request, StreamObserver<HalfWire.CallAllResponse> to) {
    serve(() -> all(request.getCallsList()), to);
  }

  @Override
  public StreamObserver<HalfWire.StreamRequest> callStream(
      StreamObserver<HalfWire.StreamResponse> to) {
    return CallStream.open(this, (ServerCallStreamObserver<HalfWire.StreamResponse>) to);
  }

  @Override
  public void states(HalfWire.StatesRequest request, StreamObserver<HalfWire.StatesResponse> to) {
    serve(() -> states(request.getKeysList()), to);
  }

  private <T> void serve(Supplier<T> work, StreamObserver<T> to) {
    if (!execution.tryRun(() -> answer(work, to))) {
      to.onError(HalfFailures.TOO_MANY.asRuntimeException());
    }
  }

  private <T> Runnable answer(Supplier<T> work, StreamObserver<T> to) {
    try {
      if (Context.current().isCancelled()) {
        return () -> to.onError(HalfFailures.GIVEN_UP.asRuntimeException());
      }
      T answer = work.get();
      return () -> {
        to.onNext(answer);
        to.onCompleted();
      };
    } catch (Throwable e) { // an error, too: a call without an answer is waited for
      return () -> to.onError(failures.exception(e));
    }
  }

  /**
   * Has a request of a stream answered, soon or at once.
   *
   * @param stream is given the answer once
   */
  void serve(HalfWire.StreamRequest request, CallStream stream) {
    if (!execution.tryRun(() -> answering(request, stream))) {
      stream.answer(failed(request, HalfFailures.TOO_MANY));
    }
  }

  private Runnable answering(HalfWire.StreamRequest request, CallStream stream) {
    HalfWire.StreamResponse answer = answer(request);
    return () -> stream.answer(answer);
  }

  private HalfWire.StreamResponse answer(HalfWire.StreamRequest request) {
    try {
      if (Context.current().isCancelled()) {
        return failed(request, HalfFailures.GIVEN_UP);
      }
      return HalfWire.StreamResponse.newBuilder()
          .setCorrelationId(request.getCorrelationId())
          .setAnswered(all(request.getCallsList()))
          .build();
    } catch (Throwable e) { // an error, too: the caller waits for an answer
      return failed(request, failures.status(e));
    }
  }

  private static HalfWire.StreamResponse failed(HalfWire.StreamRequest request, Status status) {
    String description = status.getDescription();
    return HalfWire.StreamResponse.newBuilder()
        .setCorrelationId(request.getCorrelationId())
        .setFailed(
            HalfWire.Failure.newBuilder()
                .setStatusCode(status.getCode().value())
                .setDescription(description == null ? "" : description))
        .build();
  }

  private HalfWire.Answer one(HalfCall call) {
    return answer(half.callAll(List.of(call)).get(0));
  }

  private HalfWire.CallAllResponse all(List<HalfWire.Call> calls) {
    HalfWire.CallAllResponse.Builder answers = HalfWire.CallAllResponse.newBuilder();
    half.callAll(CallDecoding.calls(calls)).forEach(each -> answers.addAnswers(answer(each)));
    return answers.build();
  }

  private static HalfWire.Answer answer(HalfAnswer answer) {
    return HalfWire.Answer.newBuilder()
        .setState(Codes.of(answer.state()))
        .setRefusal(Codes.of(answer.refusal()))
        .build();
  }

  private HalfWire.StatesResponse states(List<HalfWire.Key> encoded) {
    List<HalfKey> keys = CallDecoding.keys(encoded);
    Map<HalfKey, HalfState> states = half.states(keys);
    HalfWire.StatesResponse.Builder answer = HalfWire.StatesResponse.newBuilder();
    keys.forEach(key -> answer.addStates(Codes.of(states.getOrDefault(key, HalfState.UNKNOWN))));
    return answer.build();
  }
}
