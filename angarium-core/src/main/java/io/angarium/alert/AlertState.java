package io.angarium.alert;

/** Whether an alert is on. */
public enum AlertState {
  /** Found, but not for long enough to tell people. */
  PENDING,
  /** On. */
  FIRING,
  /** Over. Kept for a while, to be looked at. */
  RESOLVED
}
