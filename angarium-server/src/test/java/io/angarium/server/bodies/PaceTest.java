package io.angarium.server.bodies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.server.problem.ProblemException;
import io.angarium.testkit.ManualClock;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Bodies by their speed and by the memory they take, on a clock of our own. */
class PaceTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualClock clock = ManualClock.create();
  private final BodyMemory memory = new BodyMemory(1 << 20);
  private final RequestBodies bodies =
      new RequestBodies(512 << 10, memory, new AwaitedBodies(1), LONG, clock);

  /** A body of which some bytes come in each second. */
  private HttpServletRequest request(int bytes, int perSecond, long announced) {
    ServletInputStream stream =
        new ServletInputStream() {
          private int left = bytes;

          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] to, int from, int length) {
            if (left == 0) {
              return -1;
            }
            clock.advance(Duration.ofSeconds(1));
            int read = Math.min(Math.min(left, length), perSecond);
            left -= read;
            return read;
          }

          @Override
          public boolean isFinished() {
            return left == 0;
          }

          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
          }
        };
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            PaceTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getInputStream" -> stream;
                  case "getContentLengthLong" -> announced;
                  default -> null;
                });
  }

  @Test
  void bodyOfAKibibyteASecondIsTaken() throws IOException {
    int length = bodies.with(request(100 << 10, 1_024, -1), body -> body.length);

    assertThat(length).isEqualTo(100 << 10);
  }

  @Test
  void slowerBodyIsCutOffAfterTenSeconds() {
    long before = clock.nanoTime();

    assertThatThrownBy(() -> bodies.with(request(100 << 10, 1_023, 100 << 10), body -> body.length))
        .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.status()).isEqualTo(408));

    assertThat(Duration.ofNanos(clock.nanoTime() - before)).isEqualTo(Pace.WINDOW);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void memoryIsThatOfWhatHasCome() throws IOException {
    long held = bodies.with(request(9_000, 9_000, 500 << 10 /* announced */), b -> memory.taken());

    assertThat(held).isEqualTo(16 << 10);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void oneCallerHoldsHalfOfTheMemoryAndOthersTheRest() {
    try (BodyMemory.Part first = memory.open("shop");
        BodyMemory.Part second = memory.open("shop");
        BodyMemory.Part other = memory.open("stock")) {
      assertThat(first.take(400 << 10, Duration.ZERO)).isTrue();
      assertThat(second.take(200 << 10, Duration.ZERO)).isFalse();
      assertThat(other.take(400 << 10, Duration.ZERO)).isTrue();
      first.giveBack(100 << 10);
      assertThat(second.take(200 << 10, Duration.ZERO)).isTrue();
    }
    assertThat(memory.taken()).isZero();
  }
}
