package io.angarium.server.settings;

/** What a caller may do, mostly with the half messages of a business. */
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
  OPERATE,
  /** See the metrics, which cover all businesses. */
  MEASURE,
  /** See dead letters, without payloads and headers; with {@link #OPERATE}, requeue them. */
  VIEW
}
