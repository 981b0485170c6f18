package io.angarium.deadletter;

import io.angarium.intake.Position;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far {@link DeadLetters#requeueAll} came. Immutable.
 *
 * @param requeued dead letters that are sent again
 * @param gone dead letters that matched, and that somebody else decided meanwhile
 * @param looked rows that were read
 * @param until only messages given up at this instant or earlier were requeued, by the database's
 *     clock
 * @param next the position to continue behind; null if all that match are requeued
 */
public record RequeueProgress(
    int requeued, int gone, long looked, Instant until, @Nullable Position next) {}
