package io.angarium.grpc;

import static io.angarium.grpc.GrpcHalfScene.failure;
import static io.angarium.grpc.GrpcHalfScene.key;
import static io.angarium.grpc.GrpcHalfScene.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageLimits;
import io.angarium.StoreException;
import io.angarium.grpc.HalfRequests.Part;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfState;
import io.angarium.testservers.FaultProxy;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a producer is told when the server, the network or the database is away. */
final class GrpcFaultsTest {
  private static final GrpcHalfConfig HALF_A_SECOND =
      GrpcHalfConfig.DEFAULTS.timeout(Duration.ofMillis(500));
  private static final String UNKNOWN = "whether they took effect is unknown";

  @Test
  void serverThatIsKilledBeforeItsAnswerLeavesTheOutcomeUnknownAndARepeatIsHarmless()
      throws Exception {
    try (GrpcHalfScene scene = GrpcHalfScene.create()) {
      GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT);
      half.prepare(message("1"));
      scene.held.holdAnswers();
      Future<?> commit = scene.call(() -> half.commit(key("1")));
      HeldHalfMessages.until(() -> !scene.real.sent().isEmpty());

      scene.served.kill();

      assertThat(failure(commit)).isInstanceOf(StoreException.class).hasMessageContaining(UNKNOWN);
      try (ServedOverGrpc next =
          ServedOverGrpc.start(threads -> new GrpcHalfService(scene.real, threads))) {
        GrpcHalfMessages again = new GrpcHalfMessages(next.channel(), GrpcHalfScene.PATIENT);
        assertThat(again.commit(key("1"))).isEqualTo(HalfState.COMMITTED);
      }
      assertThat(scene.real.sent()).hasSize(1);
    }
  }

  @Test
  void serverThatIsAwayIsToldAtOnceAndFoundAgain() {
    try (GrpcHalfScene scene = GrpcHalfScene.create();
        FaultProxy proxy = FaultProxy.to("127.0.0.1", scene.served.port())) {
      GrpcHalfMessages half =
          new GrpcHalfMessages(scene.served.channel(proxy.port()), GrpcHalfScene.PATIENT);
      half.prepare(message("1"));
      proxy.refuse();
      proxy.cutAll();

      assertThatThrownBy(() -> half.commit(key("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("UNAVAILABLE")
          .hasMessageContaining(UNKNOWN);
      assertThatThrownBy(() -> half.state(key("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("UNAVAILABLE");

      proxy.accept();
      HeldHalfMessages.until(() -> isCommitted(half));
      assertThat(scene.real.sent()).hasSize(1);
    }
  }

  private static boolean isCommitted(GrpcHalfMessages half) {
    try {
      return half.commit(key("1")) == HalfState.COMMITTED;
    } catch (StoreException e) {
      return false;
    }
  }

  @Test
  void silentNetworkIsWaitedForNoLongerThanConfigured() {
    try (GrpcHalfScene scene = GrpcHalfScene.create();
        FaultProxy proxy = FaultProxy.to("127.0.0.1", scene.served.port())) {
      ManagedChannel channel = scene.served.channel(proxy.port());
      new GrpcHalfMessages(channel, GrpcHalfScene.PATIENT).prepare(message("1"));
      GrpcHalfMessages half = new GrpcHalfMessages(channel, HALF_A_SECOND);
      proxy.blackhole();

      assertThatThrownBy(() -> half.commit(key("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("DEADLINE_EXCEEDED")
          .hasMessageContaining(UNKNOWN);
      assertThatThrownBy(() -> half.state(key("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("DEADLINE_EXCEEDED");
    }
  }

  /** The one under way gets no answer, not even that its time is over. */
  @Test
  void whoWaitsTooLongForItsTurnIsNotSent() throws Exception {
    try (GrpcHalfScene scene = GrpcHalfScene.create()) {
      AtomicInteger started = new AtomicInteger();
      HalfRequests requests =
          new HalfRequests(
              HALF_A_SECOND.requestsUnderWay(1),
              (request, deadline, observer) -> started.incrementAndGet());
      Part part = new Part(List.of(HalfWire.Call.getDefaultInstance()), 2);
      Future<?> first = scene.call(() -> requests.run(part));
      HeldHalfMessages.until(() -> started.get() == 1);

      assertThatThrownBy(() -> requests.run(part))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("not sent within 500ms; nothing took effect");

      assertThat(failure(first)).isInstanceOf(StoreException.class).hasMessageContaining(UNKNOWN);
      assertThat(started).hasValue(1);
      assertThat(requests.waiting()).isZero();
    }
  }

  @Test
  void requestThatTheServerGetsTooLateIsNotBegun() {
    try (GrpcHalfScene scene = GrpcHalfScene.create();
        ServedOverGrpc late =
            ServedOverGrpc.start(threads -> new GrpcHalfService(scene.held, new AfterTheEnd()))) {
      GrpcHalfMessages half = new GrpcHalfMessages(late.channel(), HALF_A_SECOND);

      assertThatThrownBy(() -> half.prepare(message("1"))).isInstanceOf(StoreException.class);

      late.kill(); // and with it every task has run
      assertThat(scene.held.calls()).isZero();
    }
  }

  /** Runs a task when its call has been given up. */
  private static final class AfterTheEnd implements Executor {
    @Override
    public void execute(Runnable task) {
      Context.current().addListener(context -> task.run(), Runnable::run);
    }
  }

  @Test
  void requestThatIsTooLargeForTheServerIsRefusedByIt() {
    GrpcHalfConfig large =
        GrpcHalfScene.PATIENT
            .requestBytes(8 << 20)
            .limits(new MessageLimits(8_000_000, 512, 16_384));
    try (GrpcHalfScene scene = GrpcHalfScene.create()) {
      GrpcHalfMessages half = scene.client(large);

      assertThatThrownBy(() -> half.prepare(message("1", new byte[5_000_000])))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("RESOURCE_EXHAUSTED");

      assertThat(scene.held.calls()).isZero();
      assertThat(half.prepare(message("1"))).isEqualTo(HalfState.PREPARED);
    }
  }

  @Test
  void databaseThatIsAwayIsToldWithoutItsWords() {
    try (GrpcHalfScene scene = GrpcHalfScene.create()) {
      GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT);
      scene.real.unreachable(true);

      assertThatThrownBy(() -> half.prepare(message("1")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("UNAVAILABLE")
          .hasMessageNotContaining("in memory");
      assertThatThrownBy(() -> half.state(key("1"))).isInstanceOf(StoreException.class);

      scene.real.unreachable(false);
      assertThat(half.prepare(message("1"))).isEqualTo(HalfState.PREPARED);
    }
  }

  @Test
  void serverThatHasTooMuchToDoSaysSoAndNothingTakesEffect() throws Exception {
    try (GrpcHalfScene scene = GrpcHalfScene.create(1, builder -> {})) {
      GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT);
      scene.held.hold();
      Future<?> first = scene.prepare(half, "1");
      scene.held.awaitInside(1);

      assertThatThrownBy(() -> half.prepare(message("2")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("RESOURCE_EXHAUSTED");

      scene.held.release();
      assertThat(GrpcHalfScene.await(first)).isEqualTo(HalfState.PREPARED);
      HeldHalfMessages.until(() -> scene.held.inside() == 0);
      assertThat(scene.held.calls()).isEqualTo(1);
    }
  }

  @Test
  void answersOfALaterVersionAreNotTakenForSuccess() {
    try (ServedOverGrpc served = ServedOverGrpc.start(threads -> new OfLaterVersion())) {
      GrpcHalfMessages half = new GrpcHalfMessages(served.channel(), GrpcHalfScene.PATIENT);

      assertThatThrownBy(() -> half.commit(key("state")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("state 99");
      assertThatThrownBy(() -> half.commit(key("refusal")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("refusal 99");
      assertThatThrownBy(() -> half.commit(key("nothing")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("0 answers to 1 calls");
      assertThatThrownBy(() -> half.state(key("state")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("state 99");
    }
  }

  /** Knows states and refusals that nobody knows yet. */
  private static final class OfLaterVersion extends HalfMessagesGrpc.HalfMessagesImplBase {
    @Override
    public void callAll(
        HalfWire.CallAllRequest request, StreamObserver<HalfWire.CallAllResponse> to) {
      String key = request.getCalls(0).getCommit().getKey().getKey();
      HalfWire.CallAllResponse.Builder response = HalfWire.CallAllResponse.newBuilder();
      if (key.equals("state")) {
        response.addAnswersBuilder().setStateValue(99);
      } else if (key.equals("refusal")) {
        response.addAnswersBuilder().setStateValue(6).setRefusalValue(99);
      }
      to.onNext(response.build());
      to.onCompleted();
    }

    @Override
    public void states(HalfWire.StatesRequest request, StreamObserver<HalfWire.StatesResponse> to) {
      to.onNext(HalfWire.StatesResponse.newBuilder().addStatesValue(99).build());
      to.onCompleted();
    }
  }
}
