package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bodies that come slowly or not at all, all at a time. They are waited for longer than a busy
 * machine stands still: if the bits stopped for as long, Tomcat would answer itself.
 */
class ServerBodiesTest {
  private static final int LARGE = 128 << 10;

  private static final ScheduledExecutorService THREADS = Executors.newScheduledThreadPool(30);
  private static final List<SlowRequest> REQUESTS = new ArrayList<>();
  private static final Set<SlowRequest> CUT_OFF = ConcurrentHashMap.newKeySet();

  private static ServerUnderTest server;
  private static Future<String> bitByBit;
  private static Future<String> ofUnknownLength;
  private static Future<String> without;
  private static Future<String> unread;
  private static SlowRequest refused;
  private static Trickle lengthOfAChunk;
  private static Trickle endOfABody;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.request-max=128KB",
            "angarium.server.memory=1MB",
            "angarium.server.body-timeout=17s");
    bitByBit = trickled(SlowRequest.announcing(server, "1", LARGE), "x");
    ofUnknownLength =
        trickled(new SlowRequest(server, "2", "Transfer-Encoding: chunked"), "1\r\nx\r\n");
    without = answer(SlowRequest.announcing(server, "3", LARGE));
    refused = SlowRequest.announcing(server, "4", 2 * LARGE); // too large to be read
    unread = trickled(refused, "x");
    lengthOfAChunk = new Trickle("length", "", "00000001");
    endOfABody = new Trickle("end", "1\r\nx\r\n", "00000000\r\n\r\n");
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
        THREADS.scheduleAtFixedRate(() -> send(request, bit), 0, 100, TimeUnit.MILLISECONDS);
    return answer(request);
  }

  /** Ends when the server has closed the connection. */
  private static void send(SlowRequest request, String bit) {
    try {
      request.send(bit);
    } catch (UncheckedIOException e) {
      CUT_OFF.add(request);
      throw e;
    }
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

  /** What has come counts, and not what may come. */
  @Test
  void manySlowBodiesLeaveRoomForOthers() {
    List<Future<String>> many = new ArrayList<>();
    for (int i = 0; i < 9; i++) { // as many of the largest size would not fit
      String chunked = "Transfer-Encoding: chunked";
      many.add(trickled(new SlowRequest(server, "many" + i, chunked), "1\r\nx\r\n"));
    }
    assertThat(server.half().states(List.of(new HalfKey("order", "5")))).hasSize(1);
    SlowRequest quick = SlowRequest.announcing(server, "quick", 1);
    REQUESTS.add(quick);
    quick.send("x");

    assertThat(quick.answer()).startsWith("HTTP/1.1 200 ");
    assertThat(many).noneMatch(Future::isDone); // all were under way meanwhile
  }

  /** After its answer a connection is not read for as long as something trickles. */
  @Test
  void bodyThatNobodyReadsIsCutOff() throws Exception {
    assertThat(unread.get(1, TimeUnit.MINUTES)).startsWith("HTTP/1.1 413 ");

    awaitCutOff(refused);
  }

  @Test
  void lengthOfAChunkThatTricklesIsCutOff() {
    lengthOfAChunk.assertCutOff();
  }

  @Test
  void endOfABodyThatTricklesIsCutOff() {
    endOfABody.assertCutOff();
  }

  private static void awaitCutOff(SlowRequest request) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!CUT_OFF.contains(request)) {
      assertThat(System.nanoTime() - deadline).isNegative();
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** One character after the other of what is read at once, each in time for itself. */
  private static final class Trickle {
    private final SlowRequest request;
    private final Deque<String> left;

    Trickle(String key, String before, String text) {
      request = new SlowRequest(server, key, "Transfer-Encoding: chunked");
      request.send(before);
      left = new ConcurrentLinkedDeque<>(List.of(text.split("")));
      REQUESTS.add(request);
      var unused = THREADS.scheduleAtFixedRate(this::next, 0, 3, TimeUnit.SECONDS);
    }

    private void next() {
      send(request, left.isEmpty() ? "x" : left.remove());
    }

    void assertCutOff() {
      awaitCutOff(request);
      assertThat(left).isNotEmpty();
    }
  }
}
