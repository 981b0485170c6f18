package io.angarium.desk;

/** Where a message is on its way. Each stage is a table, or a part of one. */
public enum Stage {
  /** Committed, and not sent yet. Its own time is when it was written. */
  WAITING,
  /** Not to be sent before a time. Its own time is when it is due. */
  DELAYED,
  /** Failed, and is tried again. Its own time is the last attempt. */
  RETRYING,
  /** Waits for an earlier message of its key, which failed. Its own time is when it was written. */
  HELD,
  /** Given up, for a person to decide. Its own time is when it was given up. */
  DEAD,
  /** Sent; only where a history is kept. Its own time is when it was sent. */
  SENT,
  /** Sent, but its consumer has not confirmed it. Its own time is when it was sent. */
  UNCONFIRMED,
  /** Discarded by a person, and kept for a while. Its own time is when it was discarded. */
  DISCARDED
}
