package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bodies that come slowly or not at all, all at a time. They are waited for longer than a busy
 * machine stands still: if the bits stopped for as long, Tomcat would answer itself.
 */
class ServerBodiesTest {
  private static final int LARGE = 128 << 10;

  private static final ScheduledExecutorService THREADS = Executors.newScheduledThreadPool(5);
  private static final List<SlowRequest> REQUESTS = new ArrayList<>();

  private static ServerUnderTest server;
  private static Future<String> bitByBit;
  private static Future<String> ofUnknownLength;
  private static Future<String> without;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.request-max=128KB",
            "angarium.server.body-timeout=17s");
    bitByBit = trickled(SlowRequest.announcing(server, "1", LARGE), "x");
    ofUnknownLength =
        trickled(new SlowRequest(server, "2", "Transfer-Encoding: chunked"), "1\r\nx\r\n");
    without = answer(SlowRequest.announcing(server, "3", LARGE));
  }

  @AfterAll
  static void stop() {
    REQUESTS.forEach(SlowRequest::close);
    THREADS.shutdownNow();
    server.close();
  }

  /** Sends a bit of a body again and again, until the connection is closed. */
  private static Future<String> trickled(SlowRequest request, String bit) {
    var unused =
        THREADS.scheduleAtFixedRate(() -> request.send(bit), 0, 100, TimeUnit.MILLISECONDS);
    return answer(request);
  }

  private static Future<String> answer(SlowRequest request) {
    REQUESTS.add(request);
    return THREADS.submit(request::answer);
  }

  private static void assertTooSlow(String key, Future<String> answer) throws Exception {
    assertThat(answer.get(1, TimeUnit.MINUTES))
        .startsWith("HTTP/1.1 408 ")
        .contains("application/problem+json", "\"code\":\"TOO_SLOW\"");
    assertThat(server.half().state(new HalfKey("order", key))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void bodyThatComesBitByBitIsGivenUpInTime() throws Exception {
    assertTooSlow("1", bitByBit);
  }

  @Test
  void bodyOfUnknownLengthIsGivenUpLikewise() throws Exception {
    assertTooSlow("2", ofUnknownLength);
  }

  /** Tomcat answers itself, and lets nobody else answer after that. */
  @Test
  void bodyThatDoesNotComeIsGivenUp() throws Exception {
    assertThat(without.get(1, TimeUnit.MINUTES)).startsWith("HTTP/1.1 408 ");
    assertThat(server.half().state(new HalfKey("order", "3"))).isEqualTo(HalfState.UNKNOWN);
  }
}
