package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.server.grpc.GrpcLifecycle;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A server that is told to stop is left by its callers before it stops serving. */
class ServerStopTest {
  private static final String READINESS = "/actuator/health/readiness";

  private static HttpRequest.Builder prepare(ServerUnderTest server, String key) {
    return server
        .request("/v1/half-messages/order/" + key)
        .header("Angarium-Destination", "log:orders")
        .PUT(BodyPublishers.ofString("{}"));
  }

  private static void awaitRefusal(ServerUnderTest server) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (server.send(server.request(READINESS)).statusCode() != 503) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void stoppingServerRefusesItsReadinessAndStillServes() {
    ServerUnderTest server =
        ServerUnderTest.first(
            "angarium.server.stop-delay=4s",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0");
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                server.bean(GrpcLifecycle.class).address(), InsecureChannelCredentials.create())
            .build();
    try {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      HttpResponse<String> before = server.send(prepare(server, "before"));
      assertThat(before.statusCode()).isEqualTo(200);
      assertThat(before.headers().map()).doesNotContainKey("connection");
      assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
          .isEqualTo(ServingStatus.SERVING);

      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
      awaitRefusal(server);

      HttpResponse<String> during = server.send(prepare(server, "during"));
      assertThat(during.statusCode()).isEqualTo(200);
      assertThat(during.headers().firstValue("connection")).contains("close");
      assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
          .isEqualTo(ServingStatus.NOT_SERVING);
      GrpcHalfMessages half =
          new GrpcHalfMessages(channel, GrpcHalfConfig.DEFAULTS.timeout(Duration.ofSeconds(30)));
      HalfKey key = new HalfKey("order", "over-grpc");
      assertThat(half.prepare(HalfMessage.of(key, Message.of("log:orders", new byte[0]))))
          .isEqualTo(HalfState.PREPARED);
      assertThat(stopped).isNotDone();
      stopped.join();
    } finally {
      channel.shutdownNow();
      server.close();
    }
  }
}
