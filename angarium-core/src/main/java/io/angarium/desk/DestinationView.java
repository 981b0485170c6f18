package io.angarium.desk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What lies there for one destination, among the rows that were read. Immutable.
 *
 * @param destination in its text form
 * @param waiting committed and not sent yet
 * @param delayed planned for later
 * @param retrying failed, tried again
 * @param held wait for those
 * @param dead given up
 * @param oldest when the oldest of those that wait, retry or are held was written; null if none is
 * @param reachable whether a live node has its transport; true if the nodes do not say
 * @param error the error of one that is retrying; null if there is none
 */
public record DestinationView(
    String destination,
    long waiting,
    long delayed,
    long retrying,
    long held,
    long dead,
    @Nullable Instant oldest,
    boolean reachable,
    @Nullable String error) {}
