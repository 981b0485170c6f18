package io.angarium.desk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit are meant, newest first. A part that is null does not narrow.
 * Immutable.
 *
 * @param by who acted
 * @param act what was done
 * @param targetKind what was acted on
 * @param target which one
 * @param from at this instant or later
 * @param to at this instant or earlier
 * @param before only entries with a lower number, the last of the page before; null begins
 * @param limit 1..{@link #LIMIT_MAX}
 */
public record AuditQuery(
    @Nullable String by,
    @Nullable String act,
    @Nullable String targetKind,
    @Nullable String target,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Long before,
    int limit) {
  /** The most entries of one page. */
  public static final int LIMIT_MAX = 200;

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public AuditQuery {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + LIMIT_MAX + ")");
    }
  }

  /** The same query for the entries below a number, null for the newest ones. */
  public AuditQuery continued(@Nullable Long last, int entries) {
    return new AuditQuery(by, act, targetKind, target, from, to, last, entries);
  }

  /** The newest entries. */
  public static AuditQuery newest(int limit) {
    return new AuditQuery(null, null, null, null, null, null, null, limit);
  }

  /** The newest entries about one message. */
  public static AuditQuery ofMessage(String id, int limit) {
    return new AuditQuery(null, null, AuditEntry.MESSAGE, id, null, null, null, limit);
  }
}
