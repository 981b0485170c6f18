package io.angarium;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The two clocks of a node: wall time for people and monotonic time for durations. The only place
 * that asks the JVM for time. Thread-safe.
 */
public interface TimeSource extends InstantSource {
  /** The clocks of this JVM. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public Instant instant() {
          return Instant.now();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Monotonic nanoseconds; only differences mean something, as with {@link System#nanoTime()}. */
  long nanoTime();
}
