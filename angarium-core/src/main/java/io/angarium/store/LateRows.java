package io.angarium.store;

import java.util.List;

/**
 * The answer of {@link OutboxStore#readLate}. Immutable.
 *
 * @param rows may repeat rows seen before
 * @param snapshot every row of the asked spans that is committed in it was either visible in the
 *     snapshot asked about or is in {@code rows} (when {@code complete})
 * @param complete false if the limit cut the rows short; then ask again with the old snapshot
 */
public record LateRows(List<StoredMessage> rows, Snapshot snapshot, boolean complete) {}
