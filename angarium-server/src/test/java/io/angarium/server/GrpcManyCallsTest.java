package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Far more calls at once than the server works on. */
class GrpcManyCallsTest {
  private static final int CALLS = 10_000;
  private static final int CHANNELS = 100;
  private static final ByteString PAYLOAD = ByteString.copyFrom(new byte[10_000]);
  private static final String SERVED = "Half messages are served over gRPC at ";
  private static final Pattern PORT = Pattern.compile(SERVED + "127\\.0\\.0\\.1:(\\d+)");

  @TempDir private Path folder;

  @Test
  void tenThousandAtOnceAreAnsweredOrToldToComeAgain() throws Exception {
    List<ManagedChannel> channels = new ArrayList<>();
    try (ServerProcess server =
        new ServerProcess(
            folder,
            List.of(
                "--server.port=0",
                "--spring.datasource.url=jdbc:h2:mem:many",
                "--angarium.relay.enabled=false",
                "--angarium.server.grpc.enabled=true",
                "--angarium.server.grpc.port=0"))) {
      server.address();
      server.awaitOutput(SERVED);
      Matcher port = PORT.matcher(server.output());
      assertThat(port.find()).isTrue();
      String target = "dns:///127.0.0.1:" + port.group(1);
      for (int i = 0; i < CHANNELS; i++) {
        channels.add(Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build());
      }

      Map<Integer, Status> told = prepared(channels);

      assertThat(told).hasSize(CALLS);
      assertThat(told.values()).allMatch(GrpcManyCallsTest::isToldWhatHappened);
      assertStored(channels.get(0), told);
      assertThat(server.output()).doesNotContain("OutOfMemoryError");
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
    }
  }

  /** That it took effect, or that it did not; also for a client that hardly gets to send. */
  private static boolean isToldWhatHappened(Status status) {
    return switch (status.getCode()) {
      case OK, RESOURCE_EXHAUSTED -> true;
      case CANCELLED -> String.valueOf(status.getDescription()).contains("came too slowly");
      default -> false;
    };
  }

  /** What each call was told. */
  private static Map<Integer, Status> prepared(List<ManagedChannel> channels) throws Exception {
    Map<Integer, Status> told = new ConcurrentHashMap<>();
    CountDownLatch left = new CountDownLatch(CALLS);
    for (int i = 0; i < CALLS; i++) {
      int number = i;
      HalfMessagesGrpc.newStub(channels.get(i % CHANNELS))
          .withDeadlineAfter(2, TimeUnit.MINUTES)
          .prepare(
              HalfWire.HalfMessage.newBuilder()
                  .setKey(HalfWire.Key.newBuilder().setBusiness("order").setKey("" + i))
                  .setDestination("log:orders")
                  .setPayload(PAYLOAD)
                  .build(),
              new StreamObserver<>() {
                @Override
                public void onNext(HalfWire.Answer answer) {}

                @Override
                public void onError(Throwable failure) {
                  told.put(number, Status.fromThrowable(failure));
                  left.countDown();
                }

                @Override
                public void onCompleted() {
                  told.put(number, Status.OK);
                  left.countDown();
                }
              });
    }
    assertThat(left.await(3, TimeUnit.MINUTES)).isTrue();
    return told;
  }

  /** Those that were answered, and no others. */
  private static void assertStored(ManagedChannel channel, Map<Integer, Status> told) {
    GrpcHalfMessages half = new GrpcHalfMessages(channel, GrpcHalfConfig.DEFAULTS);
    Map<HalfKey, Boolean> answered = new HashMap<>();
    told.forEach(
        (number, status) -> answered.put(new HalfKey("order", "" + number), status.isOk()));

    Map<HalfKey, HalfState> states = half.states(answered.keySet());

    assertThat(states)
        .allSatisfy(
            (key, state) ->
                assertThat(state)
                    .isEqualTo(
                        Boolean.TRUE.equals(answered.get(key))
                            ? HalfState.PREPARED
                            : HalfState.UNKNOWN));
    assertThat(answered).containsValue(true);
  }
}
