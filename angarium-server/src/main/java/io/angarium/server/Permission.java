package io.angarium.server;

/** What an API key may do with the half messages of a business. */
public enum Permission {
  /** Store messages. */
  PREPARE,
  /** Have them sent. */
  COMMIT,
  /** Have them dropped. */
  ROLLBACK,
  /** Ask what they have come to. */
  READ,
  /** See what waits for a person, and decide it. */
  OPERATE
}
