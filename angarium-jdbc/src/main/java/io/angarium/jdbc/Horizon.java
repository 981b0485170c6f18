package io.angarium.jdbc;

import io.angarium.store.LateRows;
import io.angarium.store.Mark;
import io.angarium.store.Position;
import io.angarium.store.ReadLimit;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows that were committed late, and the sequence below which none can come any more; see
 * {@link io.angarium.store.OutboxStore#readLate}, {@code mark} and {@code settled}. Thread-safe.
 */
sealed interface Horizon permits SnapshotHorizon, DirtyReadHorizon {
  LateRows readLate(
      List<Span> spans, @Nullable Snapshot since, ReadLimit limit, Predicate<Position> known);

  Mark mark();

  boolean settled(Mark mark);

  /** No transaction can insert a row up to this sequence any more; 0 if that is not known. */
  default long decided() {
    return 0;
  }

  /**
   * How far the sequence has come for good. Blocks.
   *
   * @param told what the database has just said
   */
  default long reached(long told) {
    return told;
  }

  /** Forgets all sequences: from now on they may belong to other messages. */
  default void forget() {}

  /** Takes note of the last sequence: one that went back makes what was settled open again. */
  default void saw(long lastSequence) {}
}
