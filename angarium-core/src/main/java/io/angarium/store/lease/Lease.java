package io.angarium.store.lease;

/**
 * The right to relay one partition; also the fence of every write that only the owner may make.
 * Immutable.
 *
 * @param epoch rises with every change of owner
 */
public record Lease(int partition, NodeId node, long epoch) {}
