package io.angarium.grpc;

import static io.angarium.grpc.HeldHalfMessages.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.angarium.ConfigurationException;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client of any language gets. */
final class GrpcHalfServiceTest {
  private final GrpcHalfScene scene = GrpcHalfScene.create(64, builder -> builder.directExecutor());
  private final HalfMessagesGrpc.HalfMessagesBlockingStub stub =
      HalfMessagesGrpc.newBlockingStub(scene.served.channel());

  @AfterEach
  void close() {
    scene.close();
  }

  private static HalfWire.Key key(String key) {
    return HalfWire.Key.newBuilder().setBusiness("order").setKey(key).build();
  }

  private static HalfWire.HalfMessage message(String key) {
    return HalfWire.HalfMessage.newBuilder()
        .setKey(key(key))
        .setDestination("kafka:orders")
        .setPayload(ByteString.copyFromUtf8(key))
        .build();
  }

  private static HalfWire.Decision decision(String key, HalfWire.WhenUnknown whenUnknown) {
    return HalfWire.Decision.newBuilder().setKey(key(key)).setWhenUnknown(whenUnknown).build();
  }

  private static HalfWire.Decision decision(String key) {
    return decision(key, HalfWire.WhenUnknown.WHEN_UNKNOWN_REFUSE);
  }

  private static HalfWire.Answer answer(HalfWire.State state) {
    return HalfWire.Answer.newBuilder().setState(state).build();
  }

  @Test
  void singleCallsAnswerWithTheStateAndRefusalsAreAnswers() {
    assertThat(stub.prepare(message("1"))).isEqualTo(answer(HalfWire.State.STATE_PREPARED));
    assertThat(stub.commit(decision("1"))).isEqualTo(answer(HalfWire.State.STATE_COMMITTED));
    assertThat(stub.rollback(decision("1")))
        .isEqualTo(
            HalfWire.Answer.newBuilder()
                .setState(HalfWire.State.STATE_COMMITTED)
                .setRefusal(HalfWire.Refusal.REFUSAL_ALREADY_COMMITTED)
                .build());
    assertThat(stub.rollback(decision("2", HalfWire.WhenUnknown.WHEN_UNKNOWN_REMEMBER)))
        .isEqualTo(answer(HalfWire.State.STATE_ROLLBACK_REMEMBERED));
    assertThat(stub.prepare(message("2")).getRefusal())
        .isEqualTo(HalfWire.Refusal.REFUSAL_ALREADY_ROLLED_BACK);
    assertThat(stub.commit(decision("3")).getRefusal()).isEqualTo(HalfWire.Refusal.REFUSAL_UNKNOWN);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void malformedCallIsInvalidAndNothingTakesEffect(
      String named, Consumer<HalfWire.CallAllRequest.Builder> fault) {
    HalfWire.CallAllRequest.Builder request = HalfWire.CallAllRequest.newBuilder();
    request.addCallsBuilder().setPrepare(message("good"));
    fault.accept(request);

    assertThatThrownBy(() -> stub.callAll(request.build()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(e.getStatus().getDescription()).contains("calls[1]: ", named);
            });

    assertThat(scene.held.calls()).isZero();
  }

  static Stream<Arguments> malformedCallIsInvalidAndNothingTakesEffect() {
    return Stream.of(
        fault("step: none", call -> {}),
        fault("key: not given", call -> call.setPrepare(message("1").toBuilder().clearKey())),
        fault("half message key", call -> call.setPrepare(message(" "))),
        fault(
            "when_unknown: 0",
            call -> call.setCommit(decision("1").toBuilder().clearWhenUnknown())),
        fault(
            "when_unknown: 99",
            call -> call.setRollback(decision("1").toBuilder().setWhenUnknownValue(99))),
        fault("destination", call -> call.setPrepare(message("1").toBuilder().clearDestination())),
        fault(
            "header 'a'",
            call ->
                call.getPrepareBuilder()
                    .mergeFrom(message("1"))
                    .addHeaders(HalfWire.Header.newBuilder().setName("a"))
                    .addHeaders(HalfWire.Header.newBuilder().setName("a"))),
        fault(
            "business type",
            call ->
                call.getPrepareBuilder()
                    .mergeFrom(message("1"))
                    .setBusiness(HalfWire.BusinessKey.newBuilder().setKey("k"))),
        fault(
            "check_back",
            call -> call.getPrepareBuilder().mergeFrom(message("1")).setCheckBack("no address")),
        fault(
            "check-back",
            call -> call.getPrepareBuilder().mergeFrom(message("1")).setCheckBack("shop")),
        fault(
            "delay",
            call ->
                call.getPrepareBuilder()
                    .mergeFrom(message("1"))
                    .setDelay(Duration.newBuilder().setSeconds(-1))),
        fault(
            "delay: too long",
            call ->
                call.getPrepareBuilder()
                    .mergeFrom(message("1"))
                    .setDelay(
                        Duration.newBuilder().setSeconds(Long.MAX_VALUE).setNanos(1_999_999_999))),
        fault(
            "not_before",
            call ->
                call.getPrepareBuilder()
                    .mergeFrom(message("1"))
                    .setNotBefore(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))));
  }

  private static Arguments fault(String named, Consumer<HalfWire.Call.Builder> fault) {
    Consumer<HalfWire.CallAllRequest.Builder> added =
        request -> fault.accept(request.addCallsBuilder());
    return Arguments.of(named, added);
  }

  @Test
  void tooManyCallsOrKeysAreInvalid() {
    HalfWire.CallAllRequest.Builder calls = HalfWire.CallAllRequest.newBuilder();
    HalfWire.StatesRequest.Builder keys = HalfWire.StatesRequest.newBuilder();
    for (int i = 0; i <= 10_000; i++) {
      calls.addCallsBuilder().setCommit(decision("" + i));
      keys.addKeys(key("" + i));
    }

    assertThatThrownBy(() -> stub.callAll(calls.build())).hasMessageContaining("calls: 10001");
    assertThatThrownBy(() -> stub.states(keys.build())).hasMessageContaining("keys: 10001");
  }

  /** With a direct executor the thread of the network calls the service. */
  @Test
  void threadOfTheNetworkIsNotBlocked() throws Exception {
    scene.held.hold();
    Future<HalfWire.Answer> waiting = scene.call(() -> stub.prepare(message("1")));
    scene.held.awaitInside(1);

    assertThat(
            stub.withDeadlineAfter(30, TimeUnit.SECONDS)
                .states(HalfWire.StatesRequest.newBuilder().addKeys(key("1")).build())
                .getStatesList())
        .containsExactly(HalfWire.State.STATE_UNKNOWN);

    scene.held.release();
    assertThat(GrpcHalfScene.await(waiting)).isEqualTo(answer(HalfWire.State.STATE_PREPARED));
  }

  @Test
  void executorThatRefusesIsToldAsTooMuchAndUsedAgain() {
    AtomicInteger refusals = new AtomicInteger(3);
    Executor refusing =
        task -> {
          if (refusals.getAndDecrement() > 0) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        };
    try (ServedOverGrpc served =
        ServedOverGrpc.start(threads -> new GrpcHalfService(scene.real, refusing, 1))) {
      HalfMessagesGrpc.HalfMessagesBlockingStub refused =
          HalfMessagesGrpc.newBlockingStub(served.channel());

      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> refused.prepare(message("1")))
            .hasMessageContaining("RESOURCE_EXHAUSTED");
      }
      assertThat(refused.prepare(message("1"))).isEqualTo(answer(HalfWire.State.STATE_PREPARED));
    }
  }

  @Test
  void numberOfRequestsHasARange() {
    assertThatThrownBy(() -> new GrpcHalfService(scene.real, Runnable::run, 0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("grpc.requests: 0");
  }

  @Test
  void streamAnswersEachRequestByItsNumberAndOutlivesAFailedOne() {
    Collected answers = new Collected();
    StreamObserver<HalfWire.StreamRequest> requests = open(answers);

    requests.onNext(request(7, HalfWire.Call.newBuilder().setPrepare(message("1")).build()));
    requests.onNext(request(8, HalfWire.Call.getDefaultInstance()));
    requests.onNext(request(1L << 62, HalfWire.Call.newBuilder().setPrepare(message("2")).build()));
    requests.onCompleted();
    answers.awaitEnd();

    assertThat(answers.failure).isNull();
    assertThat(answers.of(7).getAnswered().getAnswersList())
        .containsExactly(answer(HalfWire.State.STATE_PREPARED));
    assertThat(answers.of(1L << 62).getAnswered().getAnswersList())
        .containsExactly(answer(HalfWire.State.STATE_PREPARED));
    assertThat(answers.of(8).getFailed().getStatusCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT.value());
    assertThat(answers.of(8).getFailed().getDescription()).contains("step");
    assertThat(answers.received).hasSize(3);
  }

  @Test
  void callThatMeetsAnErrorOfTheMachineHasAnAnswerAndTheNextOneWorks() {
    scene.held.breakOn(GrpcHalfScene.key("1"));
    Collected answers = new Collected();
    StreamObserver<HalfWire.StreamRequest> requests = open(answers);
    requests.onNext(request(7, HalfWire.Call.newBuilder().setPrepare(message("1")).build()));
    requests.onNext(request(8, HalfWire.Call.newBuilder().setPrepare(message("2")).build()));
    requests.onCompleted();

    assertThatThrownBy(() -> stub.withDeadlineAfter(30, TimeUnit.SECONDS).prepare(message("1")))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
              assertThat(e.getStatus().getDescription())
                  .contains("the log of the server says why")
                  .doesNotContain("Missing");
            });
    assertThat(stub.prepare(message("3"))).isEqualTo(answer(HalfWire.State.STATE_PREPARED));

    answers.awaitEnd();
    assertThat(answers.of(7).getFailed().getStatusCode()).isEqualTo(Status.Code.INTERNAL.value());
    assertThat(answers.of(8).getAnswered().getAnswersList())
        .containsExactly(answer(HalfWire.State.STATE_PREPARED));
  }

  @Test
  void streamIsReadOnlyAsFastAsItIsAnswered() {
    Collected answers = new Collected();
    StreamObserver<HalfWire.StreamRequest> requests = open(answers);
    scene.held.hold();

    for (int i = 0; i < 100; i++) {
      requests.onNext(request(i, HalfWire.Call.newBuilder().setPrepare(message("" + i)).build()));
    }
    requests.onCompleted();
    scene.held.awaitInside(CallStream.UNDER_WAY_MAX);
    scene.held.release();
    answers.awaitEnd();

    assertThat(answers.failure).isNull();
    assertThat(answers.received.stream().map(HalfWire.StreamResponse::getCorrelationId))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 100).boxed().toList());
    assertThat(scene.held.insideMax()).isEqualTo(CallStream.UNDER_WAY_MAX);
  }

  @Test
  void streamThatIsBrokenOffLeavesTheServiceWell() {
    Collected answers = new Collected();
    StreamObserver<HalfWire.StreamRequest> requests = open(answers);
    scene.held.hold();
    requests.onNext(request(1, HalfWire.Call.newBuilder().setPrepare(message("1")).build()));
    scene.held.awaitInside(1);

    requests.onError(Status.CANCELLED.asRuntimeException());
    answers.awaitEnd();
    scene.held.release();
    until(() -> scene.held.inside() == 0);

    assertThat(scene.real.state(GrpcHalfScene.key("1"))).isEqualTo(HalfState.PREPARED);
    assertThat(stub.commit(decision("1"))).isEqualTo(answer(HalfWire.State.STATE_COMMITTED));
  }

  private StreamObserver<HalfWire.StreamRequest> open(Collected answers) {
    return HalfMessagesGrpc.newStub(scene.served.channel()).callStream(answers);
  }

  private static HalfWire.StreamRequest request(long id, HalfWire.Call call) {
    return HalfWire.StreamRequest.newBuilder()
        .setCorrelationId(id)
        .addAllCalls(List.of(call))
        .build();
  }

  private static final class Collected implements StreamObserver<HalfWire.StreamResponse> {
    private final ConcurrentLinkedQueue<HalfWire.StreamResponse> received =
        new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    @Override
    public void onNext(HalfWire.StreamResponse value) {
      received.add(value);
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
      end.countDown();
    }

    @Override
    public void onCompleted() {
      end.countDown();
    }

    void awaitEnd() {
      until(() -> end.getCount() == 0);
    }

    HalfWire.StreamResponse of(long id) {
      return received.stream()
          .filter(response -> response.getCorrelationId() == id)
          .findFirst()
          .orElseThrow();
    }
  }
}
