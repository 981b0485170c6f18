package io.angarium.store;

import io.angarium.intake.StoredMessage;
import java.util.List;
import java.util.Set;

/**
 * The answer of {@link OutboxStore#read} and {@link OutboxStore#dueHeads}. Immutable.
 *
 * @param rows of each span the first ones, in order of sequence; of due heads the longest due
 * @param more the partitions that may have more rows, because a limit cut their span or the due
 *     heads; the others are exhausted
 */
public record ReadRows(List<StoredMessage> rows, Set<Integer> more) {}
