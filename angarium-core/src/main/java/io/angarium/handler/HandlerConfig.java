package io.angarium.handler;

import io.angarium.ConfigFaults;
import java.time.Duration;

/**
 * How much of this application its handlers may take. Start with {@link #DEFAULTS} and change
 * parts, each giving a copy. Immutable.
 *
 * @param threads messages that one handler processes at a time, each with a thread and, as long as
 *     it runs, a transaction of the database, 1..256; default 4. Handlers do not share threads, so
 *     a slow one takes none from the others
 * @param waiting messages that wait for a thread of one handler at most, 1..100 000; default 20
 *     000, as many as the relay has in flight by default
 * @param timeout how long a handler may take for a message, from the begin of the transaction to
 *     its end, 100 ms..5 min; default 10 s. After that the attempt counts as failed
 * @param hold how long a message waits at most for a thread, 100 ms..5 min; default 5 s
 */
public record HandlerConfig(int threads, int waiting, Duration timeout, Duration hold) {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** 4 threads and 20 000 waiting messages for each handler, time-out 10 s, hold 5 s. */
  public static final HandlerConfig DEFAULTS =
      new HandlerConfig(4, 20_000, Duration.ofSeconds(10), Duration.ofSeconds(5));

  /**
   * Checks the ranges.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HandlerConfig {
    new ConfigFaults()
        .range("handler.threads", threads, 1, 256)
        .range("handler.waiting", waiting, 1, 100_000)
        .range("handler.timeout", timeout, SHORTEST, LONGEST)
        .range("handler.hold-max", hold, SHORTEST, LONGEST)
        .throwIfAny();
  }

  /** A copy with so many threads for each handler. */
  public HandlerConfig threads(int threads) {
    return new HandlerConfig(threads, waiting, timeout, hold);
  }

  /** A copy with so many messages that wait for each handler. */
  public HandlerConfig waiting(int waiting) {
    return new HandlerConfig(threads, waiting, timeout, hold);
  }

  /** A copy with another time that a handler may take. */
  public HandlerConfig timeout(Duration timeout) {
    return new HandlerConfig(threads, waiting, timeout, hold);
  }

  /** A copy with another time that a message waits for a thread. */
  public HandlerConfig hold(Duration hold) {
    return new HandlerConfig(threads, waiting, timeout, hold);
  }
}
