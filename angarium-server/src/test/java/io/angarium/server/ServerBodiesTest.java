package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies that come slowly or not at all. */
class ServerBodiesTest {
  private static final int LARGE = 128 << 10;

  private static ServerUnderTest server;

  private final ScheduledExecutorService threads = Executors.newSingleThreadScheduledExecutor();

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.request-max=128KB",
            "angarium.server.body-timeout=5s");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** Sends a bit of a body again and again, until the connection is closed. */
  private void trickle(SlowRequest request, String bit) {
    var unused =
        threads.scheduleAtFixedRate(() -> request.send(bit), 0, 100, TimeUnit.MILLISECONDS);
  }

  private static void assertTooSlow(String key, SlowRequest request) {
    assertThat(request.answer())
        .startsWith("HTTP/1.1 408 ")
        .contains("application/problem+json", "\"code\":\"TOO_SLOW\"");
    assertThat(server.half().state(new HalfKey("order", key))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void bodyThatComesBitByBitIsGivenUpInTime() {
    try (SlowRequest request = SlowRequest.announcing(server, "1", LARGE)) {
      trickle(request, "x");

      assertTooSlow("1", request);
    }
  }

  @Test
  void bodyOfUnknownLengthIsGivenUpLikewise() {
    try (SlowRequest request = new SlowRequest(server, "2", "Transfer-Encoding: chunked")) {
      trickle(request, "1\r\nx\r\n");

      assertTooSlow("2", request);
    }
  }

  /** Tomcat answers itself, and lets nobody else answer after that. */
  @Test
  void bodyThatDoesNotComeIsGivenUp() {
    try (SlowRequest request = SlowRequest.announcing(server, "3", LARGE)) {
      assertThat(request.answer()).startsWith("HTTP/1.1 408 ");
      assertThat(server.half().state(new HalfKey("order", "3"))).isEqualTo(HalfState.UNKNOWN);
    }
  }
}
