package io.angarium.transport;

/** What happens to a message for a transport that the process that sends it does not have. */
public enum UnknownTransport {
  /** The message is taken, and the first one for each transport is logged at WARN. */
  WARN,

  /** The message is not written, and the caller gets an {@code InvalidMessageException}. */
  REFUSE,

  /** The message is taken in silence, because another process sends it. */
  OFF
}
