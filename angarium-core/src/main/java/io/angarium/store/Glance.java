package io.angarium.store;

/**
 * What there may be to do, found by one cheap question; see {@link OutboxStore#glance}. Immutable.
 *
 * @param lastSequence see {@link OutboxStore#lastSequence}; it may be the one told before for as
 *     long as no committed row has a higher one
 * @param due true if a parked or a delayed message may be due; false if none is
 */
public record Glance(long lastSequence, boolean due) {}
