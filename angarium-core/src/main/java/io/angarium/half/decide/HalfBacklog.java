package io.angarium.half.decide;

import java.time.Duration;

/**
 * How many half messages are open for too long, for metrics. Each is exact up to {@link
 * io.angarium.store.Backlog#EXACT_MAX}, which it never exceeds by more than one. Immutable.
 *
 * @param asked prepared for longer than the first check waits; some may have been decided since
 *     they were asked for last
 * @param overdue the part of {@code asked} whose next question was due {@link #OVERDUE_AFTER} ago
 *     and was not asked: no check-back runs, or it is too slow
 * @param unresolved waiting for a person
 */
public record HalfBacklog(long asked, long overdue, long unresolved) {
  /** How late a question is that is overdue. */
  public static final Duration OVERDUE_AFTER = Duration.ofMinutes(1);
}
