package io.angarium.server.bodies;

import io.angarium.TimeSource;
import java.time.Duration;

/**
 * How fast the bytes of a body come: at least {@link #BYTES_MIN} in each {@link #WINDOW}. Not
 * thread-safe.
 */
public final class Pace {
  /** The time that is looked at together. */
  public static final Duration WINDOW = Duration.ofSeconds(10);

  /** 1 KiB in each second of a window. */
  public static final int BYTES_MIN = 10 * 1_024;

  private final TimeSource time;
  private long sinceNanos;
  private long bytes;

  public Pace(TimeSource time) {
    this.time = time;
    restart();
  }

  /** Begins a window, as after a time in which nobody read. */
  public void restart() {
    sinceNanos = time.nanoTime();
    bytes = 0;
  }

  public void add(long read) {
    bytes += read;
  }

  /** Whether a window has ended in which too little came; another one begins then. */
  public boolean isTooSlow() {
    if (time.nanoTime() - sinceNanos < WINDOW.toNanos()) {
      return false;
    }
    boolean slow = bytes < BYTES_MIN;
    restart();
    return slow;
  }
}
