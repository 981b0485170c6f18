package io.angarium.half;

import java.time.Duration;

/**
 * Hears what the check-back of half messages does: metrics, alerts. Called on the thread that does
 * it, so it must be quick and must not block; what it throws is logged once and ignored.
 */
public interface HalfListener {
  /** Hears nothing. */
  HalfListener NONE = new HalfListener() {};

  /** A producer was asked for a half message, or could not be. */
  default void checked(HalfKey key, CheckAnswer answer) {}

  /**
   * A half message waits for a person: nobody could say what became of it.
   *
   * @param checks how often that was answered
   */
  default void gaveUp(HalfKey key, int checks) {}

  /**
   * A producer cannot be asked for longer than is tolerated. Called once until it answers again.
   *
   * @param endpoint its address, or {@code in-process:} and the business
   * @param since for how long
   */
  default void endpointUnreachable(String endpoint, Duration since, String reason) {}

  /** A producer that {@link #endpointUnreachable} told of answers again. */
  default void endpointReachable(String endpoint) {}
}
