package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that come slowly but not too slowly, on many connections. */
class UnreadBodiesTest {
  /** More than Tomcat has threads. */
  private static final int CONNECTIONS = 230;

  private static final int LENGTH = 2 << 20;

  /** Of a body that is allowed, and takes longer than the test. */
  private static final int AWAITED = 500_000;

  /** Well above the pace that a body must have. */
  private static final String BIT = "x".repeat(3_000);

  @Test
  void callersAreAnsweredWhileManyBodiesAreRefusedSlowly() {
    answersWhileTrickling(
        List.of("angarium.server.request-max=128KB"),
        (server, i) -> SlowRequest.announcing(server, "" + i, LENGTH));
  }

  /** The second one begins with a part of the length of its first chunk. */
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: " + AWAITED, "Transfer-Encoding: chunked\r\n\r\n1"})
  void callersAreAnsweredWhileManyBodiesOfAnotherAreAwaited(String body) {
    String header = "Authorization: Bearer slow-key-for-tests\r\n";
    answersWhileTrickling(
        List.of(
            "angarium.server.api-keys.tests.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.tests.businesses=*",
            "angarium.server.api-keys.tests.destinations=*",
            "angarium.server.api-keys.slow.hashes=" + ServerUnderTest.hash("slow-key-for-tests"),
            "angarium.server.api-keys.slow.businesses=*",
            "angarium.server.api-keys.slow.destinations=*"),
        (server, i) -> new SlowRequest(server, "" + i, header + body));
  }

  private static void answersWhileTrickling(
      List<String> properties, BiFunction<ServerUnderTest, Integer, SlowRequest> request) {
    ExecutorService sender = Executors.newSingleThreadExecutor();
    List<SlowRequest> slow = new ArrayList<>();
    List<String> all = new ArrayList<>(properties);
    all.add("angarium.relay.enabled=false");
    try (ServerUnderTest server = ServerUnderTest.open(all.toArray(String[]::new))) {
      for (int i = 0; i < CONNECTIONS; i++) {
        slow.add(request.apply(server, i));
      }
      var unused =
          sender.submit(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  slow.forEach(each -> each.sendQuietly(BIT));
                  LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                }
              });

      for (int i = 0; i < 20; i++) { // each would wait for a thread
        assertThat(server.half().states(List.of(new HalfKey("order", "1")))).hasSize(1);
      }
    } finally {
      sender.shutdownNow();
      slow.forEach(SlowRequest::close);
    }
  }
}
