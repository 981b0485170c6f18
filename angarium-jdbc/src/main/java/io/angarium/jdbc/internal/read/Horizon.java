package io.angarium.jdbc.internal.read;

import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows that were committed late, and the sequence below which none can come any more; see
 * {@link io.angarium.store.OutboxStore#readLate}, {@code mark} and {@code settled}. Thread-safe.
 */
public sealed interface Horizon permits SnapshotHorizon, DirtyReadHorizon {
  /** The one for a database. */
  static Horizon of(
      Dialect dialect, StoreSessions sessions, MessageRows rows, TimeSource time, Duration lag) {
    return dialect instanceof PostgresDialect postgres
        ? new SnapshotHorizon(sessions.read(), postgres.outbox(), rows)
        : new DirtyReadHorizon(sessions, (DirtyReads) dialect.outbox(), rows, time, lag);
  }

  LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known);

  SequenceMark mark();

  boolean settled(SequenceMark mark);

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
