package io.angarium.desk;

import io.angarium.MessageId;
import java.time.Instant;

/**
 * Dead letters of one destination that have the same cause. Immutable.
 *
 * @param cause why they were given up
 * @param destination in its text form
 * @param count how many were read, at least 1
 * @param blocking how many of them hold up the later messages of their key
 * @param first when the first of them was given up, by the database's clock
 * @param latest when the latest was
 * @param sample the id of one of them
 * @param reason the whole reason of the sample
 */
public record CauseGroup(
    Cause cause,
    String destination,
    int count,
    int blocking,
    Instant first,
    Instant latest,
    MessageId sample,
    String reason) {}
