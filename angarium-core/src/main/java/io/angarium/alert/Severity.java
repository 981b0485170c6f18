package io.angarium.alert;

/** How much an alert matters, least first. */
public enum Severity {
  /** Good to know. */
  INFO,
  /** To be looked at in the morning. */
  WARNING,
  /** Somebody has to act now. */
  CRITICAL
}
