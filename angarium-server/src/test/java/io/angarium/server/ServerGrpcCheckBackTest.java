package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.grpc.GrpcCheckBackService;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server asks producers that have gone silent, over real gRPC. */
class ServerGrpcCheckBackTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Server producer;
  private ServerUnderTest server;

  @BeforeEach
  void start() throws IOException {
    Map<String, Verdict> verdicts =
        Map.of("committed", Verdict.COMMITTED, "rolled back", Verdict.ROLLED_BACK);
    producer =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                new GrpcCheckBackService(Map.of("shop", key -> verdicts.get(key.key())), threads))
            .build()
            .start();
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0",
            "angarium.server.check-back.grpc.allowed-hosts=127.0.0.1:" + producer.getPort());
  }

  @AfterEach
  void stop() {
    server.close();
    producer.shutdownNow();
    threads.shutdownNow();
  }

  private static HalfMessage message(String key, String address) {
    return HalfMessage.of(new HalfKey("shop", key), Message.of("log:orders", key.getBytes(UTF_8)))
        .checkBack(URI.create(address));
  }

  @Test
  void whatTheProducerAnswersDecides() {
    String address = "grpc://127.0.0.1:" + producer.getPort();
    HalfMessage committed = message("committed", address);
    HalfMessage rolledBack = message("rolled back", address);

    server.grpc(null).prepare(committed);
    server.half().prepare(rolledBack);

    awaitState(committed.key(), HalfState.COMMITTED);
    awaitState(rolledBack.key(), HalfState.ROLLED_BACK);
  }

  private void awaitState(HalfKey key, HalfState state) {
    HalfMessages half = server.bean(HalfMessages.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (half.state(key) != state) {
      assertThat(System.nanoTime()).as("%s is %s", key, half.state(key)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  @Test
  void anAddressThatMustNotBeAskedIsRefusedAtOnce() {
    for (HalfMessages client : new HalfMessages[] {server.grpc(null), server.half()}) {
      assertThatThrownBy(() -> client.prepare(message("1", "grpc://10.0.0.1:9090")))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("10.0.0.1:9090 is not allowed");
      assertThatThrownBy(() -> client.prepare(message("1", "http://127.0.0.1/check-back")))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("nobody here asks over http");
    }
    assertThat(server.bean(HalfMessages.class).state(new HalfKey("shop", "1")))
        .isEqualTo(HalfState.UNKNOWN);
  }
}
