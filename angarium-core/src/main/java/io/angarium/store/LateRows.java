package io.angarium.store;

import io.angarium.intake.StoredMessage;
import java.util.List;

/**
 * The answer of {@link OutboxStore#readLate}. Immutable.
 *
 * @param rows may repeat rows seen before
 * @param snapshot every row of the asked spans without {@code rest} that is committed in it was
 *     either visible in the snapshot asked about, or known, or is in {@code rows}
 * @param rest the parts of the spans that a limit left out, always less than was asked for; empty
 *     if there are none. To go on, ask for them with the old snapshot
 */
public record LateRows(List<StoredMessage> rows, Snapshot snapshot, List<SequenceRange> rest) {
  /** True if no limit cut the rows short. */
  public boolean complete() {
    return rest.isEmpty();
  }
}
