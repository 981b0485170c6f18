package io.angarium.relay.settings;

import java.time.Duration;
import java.util.Optional;

/** Decides whether and when a failed message is tried again. Thread-safe. */
public interface RetryPolicy {
  /**
   * The pause after {@code failures} failed attempts; empty means give up and make the message a
   * dead letter.
   *
   * @param failures finished attempts, at least 1
   * @throws IllegalArgumentException if {@code failures} is less than 1
   */
  Optional<Duration> pause(int failures);
}
