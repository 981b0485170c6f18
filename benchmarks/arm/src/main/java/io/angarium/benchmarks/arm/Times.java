package io.angarium.benchmarks.arm;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * When each numbered message was committed, in memory that two processes share: {@link
 * System#nanoTime} as of the machine (on Linux one clock for all processes). 0 means never.
 * Thread-safe for different numbers.
 */
public final class Times {
  private final LongBuffer times;

  private Times(LongBuffer times) {
    this.times = times;
  }

  /**
   * Opens a file, made if need be; takes only the space of what is written.
   *
   * @param capacity numbers from 0 to below this can be kept
   */
  public static Times open(Path file, int capacity) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = (long) capacity * Long.BYTES;
      return new Times(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes).asLongBuffer());
    }
  }

  /** How many numbers fit. */
  public int capacity() {
    return times.capacity();
  }

  /** Notes the time of a message. */
  public void set(long number, long nanos) {
    times.put((int) number, nanos);
  }

  /** The time of a message; 0 if there is none. */
  public long get(long number) {
    return times.get((int) number);
  }
}
