package io.angarium.inbox;

/** What an inbox does while another delivery of a message is being processed. */
public enum WhenBusy {
  /** Waits for its end, as long as the inbox's database or configuration lets it. */
  WAIT,
  /** Gives up at once, on MySQL after a second, with {@link ConcurrentDeliveryException}. */
  TELL
}
