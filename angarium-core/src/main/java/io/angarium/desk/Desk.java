package io.angarium.desk;

/**
 * Where persons look after the messages of one database. Implementations must pass the contract
 * suite {@code DeskTck}. Thread-safe.
 */
public interface Desk {
  /** What persons see. */
  MessageBrowser messages();

  /** What persons decide. */
  MessageActs acts();

  /** What persons paused. */
  PauseDesk pauses();

  /** What persons did. */
  AuditLog audit();
}
