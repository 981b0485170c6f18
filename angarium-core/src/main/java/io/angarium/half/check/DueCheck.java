package io.angarium.half.check;

import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A half message whose producer is to be asked now, claimed by one node. Immutable.
 *
 * @param number of the half message in its store, positive
 * @param version of its entry in the list of checks; a node must have it to change the entry
 * @param key which half message
 * @param address where its producer is asked; null for the {@link CheckBack} that is registered for
 *     its business
 * @param unknown how often its producer answered {@link Verdict#UNKNOWN} so far
 * @param unreachable how often in a row it could not be asked
 */
public record DueCheck(
    long number,
    long version,
    HalfKey key,
    @Nullable String address,
    int unknown,
    int unreachable) {}
