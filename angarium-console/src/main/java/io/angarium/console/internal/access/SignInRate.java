package io.angarium.console.internal.access;

import io.angarium.TimeSource;
import io.angarium.console.internal.problem.Problem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Bounds how often an address tries to sign in. Thread-safe. */
public final class SignInRate {
  /** Tries of one address within {@link #WINDOW}. */
  static final int TRIES_MAX = 5;

  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Addresses that are remembered; beyond that the one that tried longest ago is forgotten. */
  private static final int ADDRESSES_MAX = 10_000;

  private final TimeSource time;
  private final Map<String, Tries> tries = new LinkedHashMap<>();

  private record Tries(long sinceNanos, int count) {}

  public SignInRate(TimeSource time) {
    this.time = time;
  }

  /**
   * Counts a try.
   *
   * @throws Problem if there were too many
   */
  public synchronized void count(String address) {
    long now = time.nanoTime();
    Tries before = tries.remove(address);
    Tries next =
        before == null || now - before.sinceNanos() >= WINDOW.toNanos()
            ? new Tries(now, 1)
            : new Tries(before.sinceNanos(), before.count() + 1);
    tries.put(address, next);
    if (tries.size() > ADDRESSES_MAX) {
      tries.remove(tries.keySet().iterator().next());
    }
    if (next.count() > TRIES_MAX) {
      throw Problem.tooMany(
          "%d tries to sign in from this address within a minute (expected: at most %d)"
              .formatted(next.count(), TRIES_MAX),
          WINDOW);
    }
  }
}
