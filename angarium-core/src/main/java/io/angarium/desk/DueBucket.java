package io.angarium.desk;

import java.time.Instant;

/**
 * The delayed messages of a span of time. Immutable.
 *
 * @param from begin of the span
 * @param due how many are due in it, counted to {@link Overview#COUNT_MAX}
 */
public record DueBucket(Instant from, BoundedCount due) {}
