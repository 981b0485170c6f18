package io.angarium.inbox;

/** What an inbox does while another delivery of a message is being processed. */
public enum WhenBusy {
  /**
   * Waits for its end, as long as the inbox is configured to, 5 seconds by default; then as {@link
   * #TELL}.
   */
  WAIT,
  /** Gives up at once, on MySQL after a second, with {@link ConcurrentDeliveryException}. */
  TELL
}
