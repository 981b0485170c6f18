package io.angarium.store.lease;

import java.util.UUID;

/**
 * One running relay. Immutable.
 *
 * @param name unique among the live nodes of a database, 1..128 characters
 * @param incarnation new at every start, so that two nodes of one name notice each other
 */
public record NodeId(String name, UUID incarnation) {}
