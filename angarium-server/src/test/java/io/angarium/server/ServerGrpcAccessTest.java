package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what over gRPC: the same as over HTTP. */
class ServerGrpcAccessTest {
  private static final String ON = "angarium.server.grpc.enabled=true";
  private static final String PORT = "angarium.server.grpc.port=0";
  private static final String KEYS = "angarium.server.api-keys.";

  private static ServerUnderTest guarded;
  private static ServerUnderTest open;

  @BeforeAll
  static void start() {
    open = ServerUnderTest.open(ON, PORT, "angarium.relay.enabled=false");
    guarded =
        ServerUnderTest.open(
            ON,
            PORT,
            "angarium.relay.enabled=false",
            KEYS + "shop.hashes=" + ServerUnderTest.hash("shop"),
            KEYS + "shop.businesses=order-*",
            KEYS + "shop.destinations=kafka:orders",
            KEYS + "shop.payload-max=10B",
            KEYS + "watch.hashes=" + ServerUnderTest.hash("watch"),
            KEYS + "watch.businesses=*",
            KEYS + "watch.steps=read",
            KEYS + "slow.hashes=" + ServerUnderTest.hash("slow"),
            KEYS + "slow.businesses=*",
            KEYS + "slow.destinations=*",
            KEYS + "slow.rate=1");
  }

  @AfterAll
  static void stop() {
    guarded.close();
    open.close();
  }

  private static HalfMessage message(String business, String key, String destination) {
    return HalfMessage.of(new HalfKey(business, key), Message.of(destination, new byte[1]));
  }

  /** What a request is answered, as a program without our client sees it. */
  private static Status status(Channel channel, String business) {
    HalfWire.StatesRequest request =
        HalfWire.StatesRequest.newBuilder().addKeys(wireKey(business)).build();
    Throwable failure =
        catchThrowable(
            () ->
                HalfMessagesGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(1, TimeUnit.MINUTES)
                    .states(request));
    return failure == null ? Status.OK : Status.fromThrowable(failure);
  }

  private static HalfWire.Key wireKey(String business) {
    return HalfWire.Key.newBuilder().setBusiness(business).setKey("1").build();
  }

  @Test
  void nobodyGetsInWithoutAKeyThatIsKnown() {
    assertThat(status(guarded.channel("shop"), "order-1").getCode()).isEqualTo(Status.Code.OK);
    for (String key : new String[] {null, "", "wrong", ServerUnderTest.hash("shop")}) {
      Status status = status(guarded.channel(key), "order-1");

      assertThat(status.getCode()).as(key).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription()).contains("angarium.server.api-keys");
    }
  }

  @Test
  void whatIsNotPermittedIsPermissionDenied() {
    assertThat(status(guarded.channel("shop"), "stock").getCode())
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(status(guarded.channel("watch"), "stock").getCode()).isEqualTo(Status.Code.OK);
  }

  @Test
  void callerMayDoWhatItIsPermittedAndNothingElse() {
    HalfMessages shop = guarded.grpc("shop");
    HalfMessages watch = guarded.grpc("watch");
    HalfMessage large =
        HalfMessage.of(new HalfKey("order-1", "l"), Message.of("kafka:orders", new byte[11]));

    assertThat(shop.prepare(message("order-1", "1", "kafka:orders"))).isEqualTo(HalfState.PREPARED);
    assertThat(shop.commit(new HalfKey("order-1", "1"))).isEqualTo(HalfState.COMMITTED);
    assertNotPermitted(() -> shop.prepare(message("stock", "1", "kafka:orders")), "businesses");
    assertNotPermitted(() -> shop.prepare(message("order-1", "2", "kafka:o")), "destinations");
    assertNotPermitted(() -> shop.commit(new HalfKey("stock", "1")), "businesses");
    assertNotPermitted(() -> shop.rollback(new HalfKey("stock", "1")), "businesses");
    assertNotPermitted(() -> watch.prepare(message("stock", "1", "kafka:orders")), "steps");
    assertNotPermitted(() -> watch.commit(new HalfKey("order-1", "1")), "steps");
    assertThatThrownBy(() -> shop.prepare(large))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("at most 10");
    assertThat(watch.state(new HalfKey("order-1", "2"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(watch.state(new HalfKey("stock", "1"))).isEqualTo(HalfState.UNKNOWN);
  }

  private static void assertNotPermitted(ThrowingCallable call, String property) {
    assertThatThrownBy(call)
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("PERMISSION_DENIED")
        .hasMessageContaining("." + property);
  }

  @Test
  void streamOfRequestsIsPermittedNoMore() throws Exception {
    HalfWire.Call call =
        HalfWire.Call.newBuilder()
            .setCommit(
                HalfWire.Decision.newBuilder()
                    .setKey(wireKey("stock"))
                    .setWhenUnknown(HalfWire.WhenUnknown.WHEN_UNKNOWN_REFUSE))
            .build();
    CompletableFuture<HalfWire.StreamResponse> answer = new CompletableFuture<>();
    StreamObserver<HalfWire.StreamRequest> requests =
        HalfMessagesGrpc.newStub(guarded.channel("shop")).callStream(first(answer));

    requests.onNext(HalfWire.StreamRequest.newBuilder().addCalls(call).build());

    HalfWire.Failure failed = answer.get(1, TimeUnit.MINUTES).getFailed();
    assertThat(failed.getStatusCode()).isEqualTo(Status.Code.PERMISSION_DENIED.value());
    assertThat(failed.getDescription()).contains("business 'stock'");
    requests.onCompleted();
  }

  private static StreamObserver<HalfWire.StreamResponse> first(
      CompletableFuture<HalfWire.StreamResponse> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(HalfWire.StreamResponse value) {
        answer.complete(value);
      }

      @Override
      public void onError(Throwable failure) {
        answer.completeExceptionally(failure);
      }

      @Override
      public void onCompleted() {
        answer.completeExceptionally(new AssertionError("no answer"));
      }
    };
  }

  /** The last call comes within so many seconds, or the test is slower than that. */
  @Test
  void tooManyCallsAreSentAwayUnharmed() {
    HalfMessages slow = guarded.grpc("slow");
    List<HalfKey> many =
        IntStream.range(0, 400).mapToObj(each -> new HalfKey("slow", "" + each)).toList();
    slow.states(many);

    assertThatThrownBy(() -> slow.commit(new HalfKey("slow", "1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED")
        .hasMessageContaining("more calls in a second than it may");
  }

  @ParameterizedTest
  @CsvSource({
    "x-forwarded-for, 10.0.0.7",
    "forwarded, for=10.0.0.7",
    "via, 1.1 proxy",
    "origin, http://evil"
  })
  void withoutKeysOnlyProgramsOfThisMachineAreServed(String header, String value) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
    Channel detour =
        ClientInterceptors.intercept(
            open.channel((String) null), MetadataUtils.newAttachHeadersInterceptor(headers));

    assertThat(status(open.channel((String) null), "b").getCode()).isEqualTo(Status.Code.OK);
    assertThat(status(detour, "b").getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }
}
