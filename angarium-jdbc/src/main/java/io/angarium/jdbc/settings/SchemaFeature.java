package io.angarium.jdbc.settings;

/**
 * A part of the schema that has tables, scripts and a version of its own. The scripts of a feature
 * are in the folder {@code angarium/schema/<database>/<feature>} of this jar. Its version is the
 * number of its scripts. A feature that an application does not use needs none of its tables.
 */
public enum SchemaFeature {
  /** Messages, dead letters, history, business keys, relays; all others but the inbox need it. */
  OUTBOX,
  /** Markers of local transactions, which decide half messages and RocketMQ's. */
  MARKER,
  /** Half messages, their check-backs, and the registry of Kafka topics. */
  HALF,
  /** Sent messages that wait for the receipt of their consumer. */
  CONFIRMATION,
  /** Progress of reconciliations. */
  RECONCILIATION,
  /** Messages that persons discarded, destinations that they paused, and the audit of it all. */
  CONSOLE,
  /** Alerts, what channels were told of them, and silences. */
  ALERT,
  /** What relay nodes tell of themselves, and how much each destination took. */
  BOARD,
  /** Reports of reconciliations. */
  REPORT,
  /** Processed messages; needs no other feature, and {@link InboxConfig} names its tables. */
  INBOX
}
