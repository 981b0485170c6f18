package io.angarium.testtopics;

import java.time.Duration;

/** Ends a reading that does not go on. Not thread-safe. */
final class Patience {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final String topic;
  private int read;
  private long since = System.nanoTime();

  Patience(String topic) {
    this.topic = topic;
  }

  /**
   * Looks how far it is.
   *
   * @throws IllegalStateException if it was no less for too long
   */
  void check(int readNow) {
    if (readNow > read) {
      read = readNow;
      since = System.nanoTime();
    } else if (System.nanoTime() - since > LIMIT.toNanos()) {
      throw new IllegalStateException(
          "The end of %s did not come: nothing for %s after %d messages"
              .formatted(topic, LIMIT, read));
    }
  }
}
