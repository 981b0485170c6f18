package io.angarium.server;

import io.angarium.DurationText;
import io.angarium.TimeSource;
import io.angarium.http.HalfProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the bodies of requests, none beyond a size, no more of them at a time than fit a part of
 * the memory, and none for longer than a time: who sends slowly keeps that memory from others.
 * Thread-safe.
 */
final class RequestBodies {
  private static final int UNIT_BYTES = 1_024;

  /** Of text that is read as a tree, and how much more the tree takes at most, of {@code [[],…}. */
  private static final int TREE_BYTES_MAX = 1_048_576;

  private static final int TREE_WEIGHT = 32;
  private static final Duration WAIT_MAX = Duration.ofSeconds(2);

  /** Of a body whose length nobody has announced. */
  private static final int FIRST_BYTES = 8_192;

  /** What is done with a body. */
  @FunctionalInterface
  interface Work<T> {
    T with(byte[] body) throws IOException;
  }

  private final int bytesMax;
  private final int unitsMax;
  private final Semaphore units;
  private final Duration timeout;
  private final TimeSource time;

  /**
   * @param bytesMax of a body
   * @param memoryBytes of all bodies at a time, at least as much
   * @param timeout until a body is there
   */
  RequestBodies(int bytesMax, long memoryBytes, Duration timeout, TimeSource time) {
    this.bytesMax = bytesMax;
    this.timeout = timeout;
    this.time = time;
    this.unitsMax = (int) Math.min(memoryBytes / UNIT_BYTES, Integer.MAX_VALUE);
    this.units = new Semaphore(unitsMax, true);
  }

  /**
   * Reads a body and works with it; waits until there is room for it.
   *
   * @throws ProblemException if it is too large, or there is no room for too long
   */
  <T> T with(HttpServletRequest request, Work<T> work) throws IOException {
    return with(request, bytesMax, work);
  }

  /** Likewise, with a limit of its own. */
  <T> T with(HttpServletRequest request, int limit, Work<T> work) throws IOException {
    return with(request, limit, 1, work);
  }

  /** Likewise, for what is read as a tree, which takes far more memory than its text. */
  <T> T withTree(HttpServletRequest request, Work<T> work) throws IOException {
    return with(request, TREE_BYTES_MAX, TREE_WEIGHT, work);
  }

  private <T> T with(HttpServletRequest request, int limit, int weight, Work<T> work)
      throws IOException {
    int bytesMax = Math.min(limit, this.bytesMax);
    long announced = request.getContentLengthLong();
    if (announced > bytesMax) {
      throw tooLarge(bytesMax);
    }
    int needed =
        Math.min(
            unitsMax, weight * (1 + (int) ((announced < 0 ? bytesMax : announced) / UNIT_BYTES)));
    if (!acquired(needed)) {
      throw new ProblemException(
          503,
          HalfProblem.BUSY,
          "the server has as many requests in memory as it takes; come again",
          Duration.ofSeconds(1));
    }
    try {
      byte[] body = read(request.getInputStream(), (int) announced, bytesMax);
      if (body.length > bytesMax) {
        throw tooLarge(bytesMax);
      }
      return work.with(body);
    } finally {
      units.release(needed);
    }
  }

  /** At most a byte more than is allowed; each single read has a time limit of the web server. */
  private byte[] read(InputStream stream, int announced, int bytesMax) throws IOException {
    long startNanos = time.nanoTime();
    int limit = announced < 0 ? bytesMax + 1 : announced;
    byte[] body = new byte[Math.min(limit, announced < 0 ? FIRST_BYTES : announced)];
    int length = 0;
    while (length < limit) {
      if (length == body.length) {
        body = Arrays.copyOf(body, (int) Math.min(limit, 2L * length));
      }
      int read = some(stream, body, length);
      if (read < 0) {
        break;
      }
      length += read;
      if (time.nanoTime() - startNanos >= timeout.toNanos()) {
        throw tooSlow();
      }
    }
    return length == body.length ? body : Arrays.copyOf(body, length);
  }

  private int some(InputStream stream, byte[] body, int from) throws IOException {
    try {
      return stream.read(body, from, body.length - from);
    } catch (IOException e) {
      if (isTimeout(e)) {
        throw tooSlow();
      }
      throw e;
    }
  }

  private static boolean isTimeout(Throwable e) {
    return e instanceof SocketTimeoutException || (e.getCause() != null && isTimeout(e.getCause()));
  }

  private ProblemException tooSlow() {
    return new ProblemException(
        408,
        HalfProblem.TOO_SLOW,
        "the body was not there within %s (%s.body-timeout)"
            .formatted(DurationText.of(timeout), ServerProperties.PREFIX));
  }

  private boolean acquired(int needed) {
    try {
      return units.tryAcquire(needed, WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static ProblemException tooLarge(int bytesMax) {
    return new ProblemException(
        413,
        HalfProblem.TOO_LARGE,
        "body of more than %d bytes (expected: at most that; %s.request-max is for calls)"
            .formatted(bytesMax, ServerProperties.PREFIX));
  }
}
