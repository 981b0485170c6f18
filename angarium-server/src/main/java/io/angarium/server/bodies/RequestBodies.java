package io.angarium.server.bodies;

import io.angarium.TimeSource;
import io.angarium.http.half.HalfProblem;
import io.angarium.internal.DurationText;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.ServerProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Reads the bodies of requests, none beyond a size, no more of them at a time than {@link
 * BodyMemory} holds, and none that comes too slowly. Thread-safe.
 */
public final class RequestBodies {
  /** Maximum bytes of a text that is read as a tree. */
  private static final int TREE_BYTES_MAX = 1_048_576;

  /** How much more memory than its text a tree takes at most, for {@code [[],…}. */
  private static final int TREE_WEIGHT = 32;

  /** How much more memory a list of calls or keys takes as objects. */
  private static final int LIST_WEIGHT = 4;

  private static final Duration WAIT_MAX = Duration.ofSeconds(2);

  /** Room for more is made as it comes, whatever was announced. */
  private static final int FIRST_BYTES = 8_192;

  /** What is done with a body. */
  @FunctionalInterface
  public interface Work<T> {
    public T with(byte[] body) throws IOException;
  }

  private final int bytesMax;
  private final BodyMemory memory;
  private final AwaitedBodies awaited;
  private final Duration timeout;
  private final TimeSource time;

  /**
   * @param bytesMax of a body
   * @param memory of all bodies at a time
   * @param awaited those that threads wait for
   * @param timeout until a body is there
   */
  public RequestBodies(
      int bytesMax, BodyMemory memory, AwaitedBodies awaited, Duration timeout, TimeSource time) {
    this.bytesMax = bytesMax;
    this.timeout = timeout;
    this.time = time;
    this.memory = memory;
    this.awaited = awaited;
  }

  /**
   * Reads a body and works with it; waits until there is room for it.
   *
   * @throws ProblemException if it is too large, too slow, or there is no room for too long
   */
  public <T> T with(HttpServletRequest request, Work<T> work) throws IOException {
    return with(request, bytesMax, work);
  }

  /** Reads a body with a limit of its own; see {@link #with(HttpServletRequest, Work)}. */
  public <T> T with(HttpServletRequest request, int limit, Work<T> work) throws IOException {
    return with(request, limit, 1, work);
  }

  /** Reads what becomes a tree, which takes far more memory than its text. */
  public <T> T withTree(HttpServletRequest request, Work<T> work) throws IOException {
    return with(request, TREE_BYTES_MAX, TREE_WEIGHT, work);
  }

  /** Reads what becomes a list of calls or keys, which takes more memory than its text. */
  public <T> T withList(HttpServletRequest request, Work<T> work) throws IOException {
    return with(request, bytesMax, LIST_WEIGHT, work);
  }

  private <T> T with(HttpServletRequest request, int limit, int weight, Work<T> work)
      throws IOException {
    int bytesMax = Math.min(limit, this.bytesMax);
    long announced = request.getContentLengthLong();
    if (announced > bytesMax) {
      throw tooLarge(bytesMax);
    }
    try (BodyMemory.Part part = memory.open(caller(request))) {
      byte[] body = new Reading(request, part, weight).read(announced, bytesMax);
      if (body.length > bytesMax) {
        throw tooLarge(bytesMax);
      }
      return work.with(body);
    }
  }

  private static String caller(HttpServletRequest request) {
    return request.getAttribute(AccessFilter.CALLER) instanceof Caller caller ? caller.name() : "";
  }

  /** One body. */
  private final class Reading {
    private final InputStream stream;
    private final BodyRead waiting;
    private final BodyMemory.Part part;
    private final int weight;

    /** In chunks, what is available may be the beginning of a chunk's length. */
    private final boolean announced;

    private final Pace pace = new Pace(time);
    private final long startNanos = time.nanoTime();

    Reading(HttpServletRequest request, BodyMemory.Part part, int weight) throws IOException {
      this.stream = request.getInputStream();
      this.waiting =
          request.getAttribute(BodyRead.ATTRIBUTE) instanceof BodyRead read
              ? read
              : new BodyRead(time);
      this.part = part;
      this.weight = weight;
      this.announced = request.getContentLengthLong() >= 0;
    }

    /** At most a byte more than is allowed; each single read has a time limit of the web server. */
    byte[] read(long announced, int bytesMax) throws IOException {
      int limit = announced < 0 ? bytesMax + 1 : (int) announced;
      byte[] body = new byte[room(0, Math.min(limit, FIRST_BYTES))];
      int length = 0;
      while (length < limit) {
        if (length == body.length) {
          body = Arrays.copyOf(body, room(length, (int) Math.min(limit, 2L * length)));
        }
        int read = some(body, length);
        if (read < 0) {
          break;
        }
        length += read;
        pace.add(read);
      }
      return length == body.length ? body : Arrays.copyOf(body, length);
    }

    private int room(int before, int after) {
      if (!part.take((long) weight * (after - before), Duration.ZERO)) {
        if (!part.take((long) weight * (after - before), WAIT_MAX)) {
          throw busy();
        }
        pace.restart(); // the time was ours
      }
      return after;
    }

    /** What is there already was not sent slowly. */
    private int some(byte[] body, int from) throws IOException {
      boolean late = time.nanoTime() - startNanos >= timeout.toNanos();
      if ((pace.isTooSlow() || late) && stream.available() == 0) {
        throw tooSlow();
      }
      if (announced && stream.available() > 0) {
        return read(body, from);
      }
      String caller = part.caller();
      if (!awaited.begin(caller)) {
        throw tooManyAwaited();
      }
      try {
        return read(body, from);
      } finally {
        awaited.end(caller);
      }
    }

    private int read(byte[] body, int from) throws IOException {
      try {
        return waiting.during(() -> stream.read(body, from, body.length - from));
      } catch (IOException e) {
        if (isTimeout(e)) {
          throw tooSlow();
        }
        throw e;
      }
    }
  }

  private static boolean isTimeout(Throwable e) {
    return e instanceof SocketTimeoutException || (e.getCause() != null && isTimeout(e.getCause()));
  }

  private static ProblemException busy() {
    return new ProblemException(
        503,
        HalfProblem.BUSY,
        "the server has as many requests in memory as it takes, of all callers or of this one;"
            + " come again",
        Duration.ofSeconds(1));
  }

  private ProblemException tooManyAwaited() {
    return new ProblemException(
        503,
        HalfProblem.BUSY,
        "the server awaits the bodies of %d requests of this caller already (expected: fewer at a"
                .formatted(awaited.callerMax())
            + " time, or bodies that come at once); come again",
        Duration.ofSeconds(1));
  }

  private ProblemException tooSlow() {
    return new ProblemException(
        408,
        HalfProblem.TOO_SLOW,
        "the body came too slowly: less than %d bytes in %s, or not all of it within %s (%s.body-timeout)"
            .formatted(
                Pace.BYTES_MIN,
                DurationText.of(Pace.WINDOW),
                DurationText.of(timeout),
                ServerProperties.PREFIX));
  }

  private static ProblemException tooLarge(int bytesMax) {
    return new ProblemException(
        413,
        HalfProblem.TOO_LARGE,
        "body of more than %d bytes (expected: at most that; %s.request-max is for calls)"
            .formatted(bytesMax, ServerProperties.PREFIX));
  }
}
