package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.server.Balancer.Target;
import io.angarium.server.access.Caller;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers behind a proxy that are restarted one after another, while callers go on. */
@OnOneJdk
class ServerRollingRestartTest {
  private static final Duration PROBES = Duration.ofMillis(500);
  private static final String STOP_DELAY = "4s";

  /** The longest that a call may take on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Leaves a server that starts most of the machine. */
  private static final long PAUSE_NANOS = 60_000_000;

  /** Of the JVM after SIGTERM. */
  private static final int TERMINATED = 143;

  @TempDir private Path folder;

  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Set<String> retried = ConcurrentHashMap.newKeySet();
  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private final List<ServerProcess> restarted = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  private ServerProcess start(Target target, TestDatabase database) {
    return new ServerProcess(
        folder,
        List.of(
            "--server.port=" + target.web(),
            "--spring.datasource.url=" + database.url(),
            "--spring.datasource.username=" + database.user(),
            "--spring.datasource.password=" + database.password(),
            "--angarium.server.grpc.enabled=true",
            "--angarium.server.grpc.port=" + target.grpc(),
            "--angarium.server.stop-delay=" + STOP_DELAY,
            "--angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "--angarium.server.api-keys.shop.businesses=order",
            "--angarium.server.api-keys.shop.destinations=log:orders"));
  }

  /** What a caller does for each key; {@link StoreException} if the outcome is unknown. */
  private interface Caller {
    void prepare(String key);

    void commit(String key);

    static Caller of(HalfMessages half) {
      return new Caller() {
        @Override
        public void prepare(String key) {
          half.prepare(
              HalfMessage.of(
                  new HalfKey("order", key), Message.of("log:orders", key.getBytes(UTF_8))));
        }

        @Override
        public void commit(String key) {
          half.commit(new HalfKey("order", key));
        }
      };
    }
  }

  /** A caller with a client of HTTP that is not ours. */
  private record PlainHttp(HttpClient client, String address) implements Caller {
    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create(address + "/v1/half-messages/order/" + path))
          .header("Authorization", "Bearer " + ServerUnderTest.KEY)
          .timeout(PATIENCE);
    }

    @Override
    public void prepare(String key) {
      send(
          request(key)
              .header("Angarium-Destination", "log:orders")
              .PUT(BodyPublishers.ofString(key)));
    }

    @Override
    public void commit(String key) {
      send(request(key + "/commit").POST(BodyPublishers.noBody()));
    }

    private void send(HttpRequest.Builder request) {
      try {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
          throw new StoreException(answer.statusCode() + " " + answer.body(), null);
        }
      } catch (IOException e) {
        throw new StoreException(String.valueOf(e), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("interrupted", e);
      }
    }
  }

  @Test
  @RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
  void noCallFailsThatOneRetryDoesNotMend() throws Exception {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    Target first = new Target(FreePort.find(), FreePort.find());
    Target second = new Target(FreePort.find(), FreePort.find());
    try (ServerProcess one = start(first, database);
        ServerProcess other = start(second, database);
        Balancer balancer = new Balancer(List.of(first, second), PROBES)) {
      one.address();
      other.address();
      balancer.awaitReady(first);
      balancer.awaitReady(second);
      ManagedChannel channel =
          Grpc.newChannelBuilder(
                  "127.0.0.1:" + balancer.grpcPort(), InsecureChannelCredentials.create())
              .build();
      String address = "http://127.0.0.1:" + balancer.webPort();
      try (HttpHalfMessages http =
          HttpHalfMessages.open(
              HttpHalfConfig.of(address).apiKey(ServerUnderTest.KEY).answer(PATIENCE),
              MessageIntake.of("shop"))) {
        GrpcHalfConfig grpc =
            GrpcHalfConfig.DEFAULTS.timeout(PATIENCE).token(() -> ServerUnderTest.KEY);
        List<Caller> callers =
            List.of(
                new PlainHttp(HttpClient.newHttpClient(), address),
                Caller.of(http),
                Caller.of(new GrpcHalfMessages(channel, grpc)));

        whileCalled(
            callers,
            () -> {
              restart(one, first, database, balancer);
              restart(other, second, database, balancer);
            });

        assertThat(failed).as("after one retry; %d were retried", retried.size()).isEmpty();
        assertThat(committed).hasSizeGreaterThan(200);
        for (String each : committed) {
          assertThat(http.state(new HalfKey("order", each))).isEqualTo(HalfState.COMMITTED);
        }
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** Another one takes its place before it returns, and callers go on with both. */
  private void restart(
      ServerProcess server, Target target, TestDatabase database, Balancer balancer) {
    assertThat(server.terminate()).isEqualTo(TERMINATED);
    ServerProcess again = start(target, database);
    restarted.add(again);
    again.address();
    balancer.awaitReady(target);
    awaitCommitted(committed.size() + 100);
  }

  @AfterEach
  void stop() {
    restarted.forEach(ServerProcess::close);
  }

  private void awaitCommitted(int count) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (committed.size() < count) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Two threads for each caller, without a pause after a failure. */
  private void whileCalled(List<Caller> callers, Runnable happening) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 2 * callers.size(); i++) {
      int number = i;
      Caller caller = callers.get(i % callers.size());
      running.add(threads.submit(() -> call(caller, number)));
    }
    try {
      happening.run();
    } finally {
      over.set(true);
      threads.shutdown();
    }
    for (Future<?> each : running) {
      each.get(1, TimeUnit.MINUTES);
    }
  }

  private void call(Caller caller, int number) {
    for (int i = 0; !over.get(); i++) {
      String key = number + "-" + i;
      boolean done =
          withOneRetry("prepare " + key, () -> caller.prepare(key))
              && withOneRetry("commit " + key, () -> caller.commit(key));
      if (done) {
        committed.add(key);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean withOneRetry(String name, Runnable call) {
    try {
      call.run();
    } catch (StoreException e) {
      retried.add(name + ": " + e);
      try {
        call.run();
      } catch (StoreException again) {
        failed.add(name + ": " + again + " after " + e);
        return false;
      }
    }
    return true;
  }
}
