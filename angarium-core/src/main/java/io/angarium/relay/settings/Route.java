package io.angarium.relay.settings;

/** How a message came to be sent. */
public enum Route {
  /** Straight after its commit: handed over in memory, or read by the woken owner of its key. */
  PROMPT,
  /** Found in the database later than the grace: the compensation. */
  COMPENSATED,
  /** Sent again after a failed attempt. */
  RETRIED
}
