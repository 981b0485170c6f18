package io.angarium.relay.settings;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.store.Invariant;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears what the relay does: metrics, tracing, alerts. Called on the relay's threads, {@link #dead}
 * on that of the confirmations as well, so it must be quick and must not block; what it throws is
 * logged once and ignored.
 */
public interface RelayListener {
  /** Hears nothing. */
  RelayListener NONE = new RelayListener() {};

  /**
   * Returns a listener that notifies several listeners and does not pass on what they throw. For
   * code that notifies listeners.
   *
   * @param listeners asked for at the first event
   */
  static RelayListener all(Supplier<List<RelayListener>> listeners) {
    return new SafeListener(listeners);
  }

  /**
   * Returns a listener that notifies several listeners and does not pass on what they throw.
   *
   * @param listeners the listeners as they are now: a later change of the list has no effect
   */
  static RelayListener all(List<RelayListener> listeners) {
    return new SafeListener(listeners);
  }

  /** A message is about to be handed to its transport: an attempt starts. */
  default void sending(StoredMessage message, Route route) {}

  /**
   * An attempt has ended; what becomes of the message is told by a call that follows. Called
   * exactly once for each {@link #sending}, on the same thread, before the next attempt of the same
   * message; not called for results that come in after the relay was closed.
   */
  default void attempted(StoredMessage message, Route route, SendResult result) {}

  /**
   * The broker has a message.
   *
   * @param age from its creation in the database to the acknowledgement; negative clock differences
   *     are given as zero
   */
  default void sent(StoredMessage message, Route route, Duration age) {}

  /**
   * An attempt failed.
   *
   * @param reason for a person
   * @param pause until the next attempt; null if it costs no attempt and waits for its destination,
   *     or becomes a dead letter
   */
  default void failed(StoredMessage message, String reason, @Nullable Duration pause) {}

  /**
   * A message failed and waits for its next attempt, with everything of its key behind it. {@link
   * #failed} came before.
   *
   * @param followers how many messages of its key were parked with it, 0 without a key
   */
  default void parked(StoredMessage message, int followers) {}

  /** A message became a dead letter, also as no consumer confirmed it. */
  default void dead(StoredMessage message, String reason) {}

  /**
   * Consumers have confirmed messages that waited for it. A receipt that comes before its message
   * is noted as sent is not told. Called on the thread that notes the receipts, or on that of the
   * confirmations.
   *
   * @param messages how many, at least 1
   */
  default void confirmed(int messages) {}

  /**
   * Messages are in the outbox once more, as no consumer confirmed them in time. Called on the
   * thread of the confirmations.
   *
   * @param messages how many, at least 1
   */
  default void resent(int messages) {}

  /** A partition was taken. */
  default void leaseTaken(int partition) {}

  /** A partition was given back or lost. */
  default void leaseGone(int partition) {}

  /** A destination's circuit changed. */
  default void circuitChanged(Destination destination, CircuitState state) {}

  /**
   * The database could not be used; the relay tries again.
   *
   * @param task what it tried, e.g. "read"
   */
  default void storeFailed(String task, RuntimeException cause) {}

  /**
   * Something was found that must never happen. Called on any thread.
   *
   * @param detail for a person
   */
  default void invariantBroken(Invariant which, String detail) {}
}
