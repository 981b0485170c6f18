package io.angarium.desk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a search came. Immutable.
 *
 * @param rows that were read, whether they fit or not
 * @param until the stage's own time of the last row that was looked at; null if none was
 * @param complete false if the budget ended the search before its page was full
 */
public record Scanned(int rows, @Nullable Instant until, boolean complete) {}
