package io.angarium.server.bodies;

import io.angarium.TimeSource;
import java.io.IOException;
import java.time.Duration;
import org.apache.coyote.Request;
import org.jspecify.annotations.Nullable;

/**
 * Since when a body is read for that does not come. Tomcat limits the time between two bytes of a
 * single read, and so not how long one lasts in which the length of a chunk trickles. Thread-safe.
 */
public final class BodyRead {
  /** The request's attribute. */
  static final String ATTRIBUTE = BodyRead.class.getName();

  /** A single byte that is awaited has the time of a window; Tomcat ends that itself. */
  private static final Duration MAX = Pace.WINDOW.plusSeconds(1);

  /** The note of Tomcat's request that holds this; Tomcat itself uses the first few. */
  private static final int NOTE = 20;

  private final TimeSource time;
  private volatile boolean reading;
  private volatile long sinceNanos;

  BodyRead(TimeSource time) {
    this.time = time;
  }

  /** Reads once. */
  @FunctionalInterface
  interface Read {
    int get() throws IOException;
  }

  /** Puts it where the sweeps of the connections find it. */
  void noteIn(Request request) {
    request.setNote(NOTE, this);
  }

  public static @Nullable BodyRead of(Request request) {
    return request.getNote(NOTE) instanceof BodyRead read ? read : null;
  }

  int during(Read read) throws IOException {
    sinceNanos = time.nanoTime();
    reading = true;
    try {
      return read.get();
    } finally {
      reading = false;
    }
  }

  public boolean isTooLong() {
    return reading && time.nanoTime() - sinceNanos > MAX.toNanos();
  }
}
