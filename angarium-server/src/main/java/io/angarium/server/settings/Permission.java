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
  /** See messages in the console, with payloads that are masked; with {@link #OPERATE}, act. */
  VIEW,
  /** See payloads in the console that are not masked; with {@link #VIEW}. */
  PAYLOAD,
  /** Do in the console what concerns everybody; with {@link #VIEW}. */
  ADMIN
}
