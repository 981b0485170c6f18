package io.angarium.store;

import java.time.Duration;

/**
 * How much waits in the database, without counting rows one by one. Immutable.
 *
 * @param depth committed, unsent messages in the outbox; exact up to {@link #EXACT_MAX}, above it
 *     an estimate from the sequence
 * @param parked waiting for a retry, behind a failed one, or delayed; counted up to {@link
 *     #EXACT_MAX}
 * @param dead dead letters; counted up to {@link #EXACT_MAX}
 * @param oldestAge age of the oldest unsent message in the outbox by the database's clock; zero if
 *     there is none
 * @param overdue delayed messages whose time came more than {@link #OVERDUE_AFTER} ago and which no
 *     relay has put into the outbox; counted up to {@link #EXACT_MAX}
 * @param delayed the part of {@code parked} whose time has not come; counted up to {@link
 *     #EXACT_MAX}
 * @param retrying the part of {@code parked} that failed and is tried again, one for each key that
 *     stands still; counted up to {@link #EXACT_MAX}
 */
public record Backlog(
    long depth,
    long parked,
    long dead,
    Duration oldestAge,
    long overdue,
    long delayed,
    long retrying) {
  /** Up to here counts are exact. */
  public static final int EXACT_MAX = 10_000;

  /** Where a relay runs, a delayed message is in the outbox long before. */
  public static final Duration OVERDUE_AFTER = Duration.ofMinutes(1);

  /** One without overdue, delayed and retried messages. */
  public Backlog(long depth, long parked, long dead, Duration oldestAge) {
    this(depth, parked, dead, oldestAge, 0, 0, 0);
  }
}
