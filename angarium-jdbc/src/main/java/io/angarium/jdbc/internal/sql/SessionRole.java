package io.angarium.jdbc.internal.sql;

/** What a session is for. */
public enum SessionRole {
  /** Reads of the relay. */
  READ,
  /** Reads of one stretch of the sequence in many partitions. */
  READ_STRETCH,
  /** Reads of rows that are not committed yet. */
  DIRTY_READ,
  /** Deletes of acknowledged messages: may be lost in a crash of the database. */
  COMPLETE,
  /** Writes that must last. */
  WRITE,
  /** Like {@link #WRITE}, for transactions of many callers: wait for a lock for seconds only. */
  WRITE_TOGETHER,
  /** Questions for transactions that may be open: they wait a second at most. */
  CHECK
}
