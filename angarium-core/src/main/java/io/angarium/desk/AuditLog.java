package io.angarium.desk;

import io.angarium.StoreException;
import java.util.List;

/**
 * Who did what, and why. Entries are only added. Each call is a transaction of its own, blocks, and
 * throws {@link StoreException} if the database cannot be reached. Thread-safe.
 */
public interface AuditLog {
  /** Adds an entry about something that is no act on messages, such as a look at a payload. */
  void note(AuditEntry entry);

  /**
   * Reads entries, newest first. Looks at no more than {@link SearchBudget#ROWS_MAX} rows; fewer
   * than the limit are the end.
   */
  List<AuditEntry> page(AuditQuery query);
}
