package io.angarium.store;

/**
 * What a store calls the set of transactions that had ended at one moment. Opaque outside the store
 * that made it. Immutable.
 *
 * @param value the store's own text; a store without snapshots uses a constant
 */
public record Snapshot(String value) {}
