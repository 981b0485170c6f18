package io.angarium.relay.settings;

/** Whether a destination takes messages. */
public enum CircuitState {
  /** It does. */
  CLOSED,
  /** It was unavailable and rests. */
  OPEN,
  /** It is tried with few messages, more with every success. */
  HALF_OPEN,
  /** A person paused it. */
  PAUSED
}
