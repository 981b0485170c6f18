package io.angarium.server;

import io.angarium.http.HalfProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the bodies of requests, none beyond a size, and no more of them at a time than fit a part
 * of the memory. Thread-safe.
 */
final class RequestBodies {
  private static final int UNIT_BYTES = 1_024;

  /** Of text that is read as a tree, and how much more the tree takes at most, of {@code [[],…}. */
  private static final int TREE_BYTES_MAX = 1_048_576;

  private static final int TREE_WEIGHT = 32;
  private static final Duration WAIT_MAX = Duration.ofSeconds(2);

  /** What is done with a body. */
  @FunctionalInterface
  interface Work<T> {
    T with(byte[] body) throws IOException;
  }

  private final int bytesMax;
  private final int unitsMax;
  private final Semaphore units;

  /**
   * @param bytesMax of a body
   * @param memoryBytes of all bodies at a time, at least as much
   */
  RequestBodies(int bytesMax, long memoryBytes) {
    this.bytesMax = bytesMax;
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
      byte[] body = request.getInputStream().readNBytes(bytesMax + 1);
      if (body.length > bytesMax) {
        throw tooLarge(bytesMax);
      }
      return work.with(body);
    } finally {
      units.release(needed);
    }
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
