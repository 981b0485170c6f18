package io.angarium.half;

/**
 * How many half messages are open for too long, for metrics. Each is exact up to {@link
 * io.angarium.store.Backlog#EXACT_MAX}, which it never exceeds by more than one. Immutable.
 *
 * @param asked prepared for longer than the first check waits; some may have been decided since
 *     they were asked for last
 * @param unresolved waiting for a person
 */
public record HalfBacklog(long asked, long unresolved) {}
