package io.angarium.grpc;

import static io.angarium.grpc.GrpcHalfScene.await;
import static io.angarium.grpc.GrpcHalfScene.failure;
import static io.angarium.grpc.GrpcHalfScene.key;
import static io.angarium.grpc.GrpcHalfScene.message;
import static io.angarium.grpc.HeldHalfMessages.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.MessageLimits;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.WhenUnknown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How calls share requests, and what the limits do. */
final class GrpcRequestsTest {
  private static final GrpcHalfConfig ONE = GrpcHalfScene.PATIENT.requestsUnderWay(1);
  private static final GrpcHalfConfig LENIENT =
      ONE.limits(new MessageLimits(3_000_000, 512, 16_384));
  private static final byte[] TOO_LARGE = new byte[1_000_001];

  private final GrpcHalfScene scene = GrpcHalfScene.create();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void thousandsOfCallersAtOnceAreAHandfulOfRequests() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    scene.held.hold();
    List<Future<?>> calls = new ArrayList<>(List.of(scene.prepare(half, "0")));
    scene.held.awaitInside(1);
    for (int i = 1; i < 2_001; i++) {
      calls.add(scene.prepare(half, "" + i));
    }
    until(() -> half.waiting() == 2_000);

    scene.held.release();

    for (Future<?> call : calls) {
      assertThat(await(call)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(scene.served.requests("CallAll")).isEqualTo(1 + 2_000 / 500);
  }

  @Test
  void callThatComesAloneGoesAlone() {
    GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT);

    half.prepare(message("1"));
    half.commit(key("1"));

    assertThat(scene.served.requests("CallAll")).isEqualTo(2);
    assertThat(half.waiting()).isZero();
  }

  @Test
  void noMoreRequestsAreUnderWayThanConfigured() throws Exception {
    GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT.requestsUnderWay(3));
    scene.held.hold();
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) { // one by one, as two that come at once may share a request
      calls.add(scene.prepare(half, "" + i));
      scene.held.awaitInside(i + 1);
    }
    for (int i = 3; i < 50; i++) {
      calls.add(scene.prepare(half, "" + i));
    }
    until(() -> half.waiting() == 47);

    scene.held.release();

    for (Future<?> call : calls) {
      assertThat(await(call)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(scene.held.insideMax()).isEqualTo(3);
  }

  @Test
  void callersWhoComeAtOnceMakeNoMoreRequestsEither() throws Exception {
    GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT.requestsUnderWay(3));
    for (int round = 0; round < 20; round++) {
      CountDownLatch about = new CountDownLatch(50);
      List<Future<?>> calls = new ArrayList<>();
      scene.held.hold();
      for (int i = 0; i < 50; i++) {
        String key = round + "-" + i;
        calls.add(
            scene.call(
                () -> {
                  about.countDown();
                  return half.prepare(message(key));
                }));
      }
      assertThat(about.await(60, TimeUnit.SECONDS)).isTrue();
      scene.held.awaitInside(1);
      scene.held.release();
      for (Future<?> call : calls) {
        assertThat(await(call)).isEqualTo(HalfState.PREPARED);
      }
    }

    assertThat(scene.held.insideMax()).isBetween(1, 3);
    assertThat(half.waiting()).isZero();
  }

  @Test
  void preparesAndDecisionsAreRequestsOfTheirOwn() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    for (int i = 0; i < 3; i++) {
      half.prepare(message("old" + i));
    }
    int before = scene.served.requests("CallAll");
    scene.held.hold();
    List<Future<?>> calls = new ArrayList<>();
    calls.add(scene.prepare(half, "first"));
    scene.held.awaitInside(1);
    for (int i = 0; i < 3; i++) {
      String number = "" + i;
      calls.add(scene.prepare(half, "new" + number));
      calls.add(scene.call(() -> half.commit(key("old" + number))));
    }
    until(() -> half.waiting() == 6);

    scene.held.release();

    for (Future<?> call : calls) {
      assertThat(await(call)).isIn(HalfState.PREPARED, HalfState.COMMITTED);
    }
    assertThat(scene.served.requests("CallAll") - before).isEqualTo(1 + 2);
  }

  @Test
  void requestTakesNoMoreBytesThanItMay() throws Exception {
    GrpcHalfMessages half = scene.client(ONE.requestBytes(64 << 10));
    scene.held.hold();
    Future<?> first = scene.prepare(half, "0");
    scene.held.awaitInside(1);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      String key = "" + i;
      calls.add(scene.call(() -> half.prepare(message(key, new byte[20_000]))));
    }
    until(() -> half.waiting() == 9);

    scene.held.release();

    assertThat(await(first)).isEqualTo(HalfState.PREPARED);
    for (Future<?> call : calls) {
      assertThat(await(call)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(scene.served.requests("CallAll")).isEqualTo(1 + 3);
  }

  @Test
  void messageThatTheServerFindsInvalidFailsItsOwnCallerOnly() throws Exception {
    GrpcHalfMessages half = scene.client(LENIENT);
    scene.held.hold();
    Future<?> first = scene.prepare(half, "first");
    scene.held.awaitInside(1);
    Future<?> bad = scene.call(() -> half.prepare(message("bad", TOO_LARGE)));
    List<Future<?>> good = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      good.add(scene.prepare(half, "" + i));
    }
    until(() -> half.waiting() == 8);

    scene.held.release();

    assertThat(failure(bad))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("1000001 bytes");
    assertThat(await(first)).isEqualTo(HalfState.PREPARED);
    for (Future<?> call : good) {
      assertThat(await(call)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(scene.real.state(key("bad"))).isEqualTo(HalfState.UNKNOWN);
    // the first one, all eight, and two halves of what has the bad one, three times
    assertThat(scene.served.requests("CallAll")).isEqualTo(1 + 1 + 2 * 3);
  }

  @Test
  void callThatTheDatabaseFailsFailsItsOwnCallerOnly() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    scene.held.fail(key("3"));
    List<Future<?>> calls = together(half, 8);

    for (int i = 0; i < 8; i++) {
      if (i == 3) {
        assertThat(failure(calls.get(i)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("UNAVAILABLE")
            .hasMessageContaining("whether they took effect is unknown");
      } else {
        assertThat(await(calls.get(i))).isEqualTo(HalfState.PREPARED);
      }
    }
    assertThat(scene.served.requests("CallAll")).isEqualTo(1 + 1 + 8);
  }

  @Test
  void databaseThatIsAwayIsNotAskedForEachOfManyCallers() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    List<Future<?>> calls = together(half, 100, () -> scene.real.unreachable(true));

    for (Future<?> call : calls) {
      assertThat(failure(call)).isInstanceOf(StoreException.class);
    }
    assertThat(scene.served.requests("CallAll")).isEqualTo(1 + 1 + HalfRequests.FAILURES_MAX);
  }

  @Test
  void callThatIsNotPermittedFailsItsOwnCallerOnly() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    scene.held.forbid(key("1"));
    List<Future<?>> calls = together(half, 4);

    assertThat(failure(calls.get(1)))
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("not for you")
        .hasMessageContaining("nothing took effect");
    for (int i : new int[] {0, 2, 3}) {
      assertThat(await(calls.get(i))).isEqualTo(HalfState.PREPARED);
    }
  }

  /** Callers whose calls travel in one request, behind another one. */
  private List<Future<?>> together(GrpcHalfMessages half, int callers) throws Exception {
    return together(half, callers, () -> {});
  }

  private List<Future<?>> together(GrpcHalfMessages half, int callers, Runnable before)
      throws Exception {
    scene.held.hold();
    Future<?> first = scene.prepare(half, "first");
    scene.held.awaitInside(1);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      calls.add(scene.prepare(half, "" + i));
    }
    until(() -> half.waiting() == callers);
    before.run();
    scene.held.release();
    Throwable unused = failure(first);
    return calls;
  }

  @Test
  void callersBeyondTheLimitFailAtOnceAndNothingIsSent() throws Exception {
    GrpcHalfMessages half = scene.client(ONE.waiting(1));
    scene.held.hold();
    Future<?> first = scene.prepare(half, "1");
    scene.held.awaitInside(1);
    Future<?> second = scene.prepare(half, "2");
    until(() -> half.waiting() == 1);

    assertThatThrownBy(() -> half.prepare(message("3")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing took effect");

    scene.held.release();
    assertThat(await(first)).isEqualTo(HalfState.PREPARED);
    assertThat(await(second)).isEqualTo(HalfState.PREPARED);
    assertThat(scene.real.state(key("3"))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void callerThatIsInterruptedWhileItWaitsIsNotSentAndKeepsItsFlag() throws Exception {
    GrpcHalfMessages half = scene.client(ONE);
    scene.held.hold();
    Future<?> first = scene.prepare(half, "1");
    scene.held.awaitInside(1);
    List<Throwable> failures = new ArrayList<>();
    List<Boolean> flags = new ArrayList<>();
    Thread second =
        new Thread(
            () -> {
              try {
                half.prepare(message("2"));
              } catch (StoreException e) {
                failures.add(e);
                flags.add(Thread.currentThread().isInterrupted());
              }
            });
    second.start();
    until(() -> half.waiting() == 1);

    second.interrupt();
    second.join();

    assertThat(failures).singleElement().asString().contains("nothing took effect");
    assertThat(flags).containsExactly(true);
    scene.held.release();
    assertThat(await(first)).isEqualTo(HalfState.PREPARED);
    assertThat(half.commit(key("1"))).isEqualTo(HalfState.COMMITTED);
    assertThat(scene.real.state(key("2"))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void manyCallsOfOneCallerAreSeveralRequestsInTheirOrder() {
    GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT.callsPerRequest(100));
    List<HalfCall> calls =
        IntStream.range(0, 125)
            .mapToObj(i -> "" + i)
            .flatMap(
                i ->
                    Stream.<HalfCall>of(
                        new HalfCall.Prepare(message(i)),
                        new HalfCall.Commit(key(i), WhenUnknown.REFUSE)))
            .toList();

    assertThat(half.callAll(calls))
        .hasSize(250)
        .allSatisfy(answer -> assertThat(answer.refusal()).isNull());

    assertThat(scene.served.requests("CallAll")).isEqualTo(3);
    assertThat(scene.real.sent()).hasSize(125);
  }

  @Test
  void invalidMessageBehindRequestsThatTookEffectIsToldAsSuch() {
    GrpcHalfMessages half = scene.client(LENIENT.callsPerRequest(2));
    List<HalfCall> calls =
        List.of(
            new HalfCall.Prepare(message("1")),
            new HalfCall.Prepare(message("2")),
            new HalfCall.Prepare(message("3", TOO_LARGE)));

    assertThatThrownBy(() -> half.callAll(calls))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The first 2 calls took effect; ");

    assertThat(scene.real.state(key("2"))).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void messageThatNoRequestCanHoldIsRefusedHere() {
    GrpcHalfMessages half = scene.client(LENIENT.requestBytes(1 << 20));

    assertThatThrownBy(() -> half.prepare(message("1", new byte[1 << 20])))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("maxInboundMessageSize");

    assertThat(scene.served.requests("CallAll")).isZero();
  }

  @Test
  void noCallsAreNoRequestAndManyKeysAreSeveral() {
    GrpcHalfMessages half = scene.client(GrpcHalfScene.PATIENT);
    List<HalfKey> keys = IntStream.range(0, 1_001).mapToObj(i -> key("" + i)).toList();
    half.prepare(message("1000"));

    assertThat(half.callAll(List.of())).isEmpty();
    assertThat(half.states(List.of())).isEmpty();
    assertThat(half.states(keys)).hasSize(1_001).containsEntry(key("1000"), HalfState.PREPARED);

    assertThat(scene.served.requests("CallAll")).isEqualTo(1);
    assertThat(scene.served.requests("States")).isEqualTo(2);
  }
}
