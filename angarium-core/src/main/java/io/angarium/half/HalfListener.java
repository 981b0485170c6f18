package io.angarium.half;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Hears what becomes of half messages, and what their check-back does: metrics, alerts. Called on
 * the thread that does it, after the database has it, so it must be quick and must not block; what
 * it throws is logged once and ignored.
 */
public interface HalfListener {
  /** Hears nothing. */
  HalfListener NONE = new HalfListener() {};

  /**
   * Returns a listener that notifies several listeners and does not pass on what they throw. For
   * code that notifies listeners.
   *
   * @param listeners asked for at the first event
   */
  static HalfListener all(Supplier<List<HalfListener>> listeners) {
    return new SafeHalfListener(listeners);
  }

  /**
   * A call or a person has brought a half message into another state, which is stored for good. A
   * repeat changes nothing and is not heard of, nor is a decision before its message comes. Heard
   * of once, by the process that did it; that nobody could decide it is {@link #gaveUp}.
   *
   * @param before {@link HalfState#UNKNOWN} for one that is new
   * @param age since its prepare, by the clock of the database; zero where none was before this
   */
  default void changed(HalfKey key, HalfState before, HalfState after, Duration age) {}

  /** A call, or a person, was refused. */
  default void refused(HalfKey key, HalfStep step, Refusal refusal) {}

  /** A producer was asked for a half message, or could not be. */
  default void checked(HalfKey key, CheckAnswer answer) {}

  /**
   * A half message waits for a person: nobody could say what became of it. Told at least once: if
   * the process dies before it has noted that, another one tells it, or this one when it runs
   * again.
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

  /** A producer that {@link #endpointUnreachable} told of is asked no more, and was not reached. */
  default void endpointForgotten(String endpoint) {}
}
