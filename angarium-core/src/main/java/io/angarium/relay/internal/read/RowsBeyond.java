package io.angarium.relay.internal.read;

import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.Invariant;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds rows above the last sequence that the database has given out. Tables that were copied, or
 * replicated logically, have them until somebody raises the sequence; nothing else would read them,
 * as an idle relay reads only up to the sequence. Looked for when partitions are taken and as often
 * as the sweep. Not thread-safe: one thread at a time.
 */
final class RowsBeyond {
  private static final int ROWS_MAX = 100;

  private final RelayContext context;
  private final OwnedPartitions partitions;
  private final ReadBudget room;
  private long highest;

  private long nextNanos;

  RowsBeyond(RelayContext context, OwnedPartitions partitions, ReadBudget room) {
    this.context = context;
    this.partitions = partitions;
    this.room = room;
    hurry();
  }

  /** Looks again soon. */
  void hurry() {
    nextNanos = context.time().nanoTime();
  }

  /** Forgets what was found, and looks again soon. */
  void forget() {
    highest = 0;
    hurry();
  }

  /** The highest sequence found so far of a row above the sequence; 0 if there was none. */
  long highest() {
    return highest;
  }

  /**
   * Looks for more of them, if it is time to. Blocks.
   *
   * @param last the last sequence known
   * @return true if some were found, which a read up to {@link #highest} brings
   */
  boolean look(long last) {
    long now = context.time().nanoTime();
    if (now - nextNanos < 0 || room.rows() == 0) {
      return false;
    }
    List<SequenceRange> spans = new ArrayList<>();
    for (PartitionState partition : partitions.active()) {
      spans.add(SequenceRange.after(partition.partition, Math.max(last, partition.cursor())));
    }
    ReadRows read = context.store().read(spans, room.side(ROWS_MAX));
    if (!read.rows().isEmpty() && areBeyond(read.rows())) {
      return true; // there may be more: the next look comes soon
    }
    RelayConfig.Polling polling = context.config().polling();
    Duration pause = read.more().isEmpty() ? polling.sweep() : polling.idle();
    nextNanos = now + pause.toNanos();
    return false;
  }

  /** False if they are only newer than the last sequence known. */
  private boolean areBeyond(List<StoredMessage> rows) {
    long last = context.store().lastSequence(); // asked later: it is not behind what was read
    List<StoredMessage> beyond =
        rows.stream().filter(row -> row.position().sequence() > last).toList();
    for (StoredMessage row : beyond) {
      highest = Math.max(highest, row.position().sequence());
    }
    if (!beyond.isEmpty()) {
      report(beyond, last);
    }
    return !beyond.isEmpty();
  }

  private void report(List<StoredMessage> beyond, long last) {
    context
        .tripwire()
        .broken(
            Invariant.SEQUENCE,
            beyond.size()
                + " rows of the outbox lie above its sequence, which is at "
                + last
                + ", the highest found at "
                + highest
                + ": tables were copied or replicated without it. They are sent now, but new"
                + " messages get lower ids, may pass earlier ones of their key, and fail where an"
                + " id is taken. "
                + context.store().howToRaiseSequence(highest));
  }
}
