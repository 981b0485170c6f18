package io.angarium.relay.internal.read;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets a look at a few partitions begin at their floors instead of their cursors, where hardly more
 * lies between the two than is in flight: late rows then come with the new ones, in one snapshot
 * and in order of sequence, and need no read of their own. Not thread-safe: one thread at a time.
 */
final class FloorReads {
  /** Sequences between floor and cursor; what was deleted there may cost the database still. */
  private static final int SEQUENCES_MAX = 1_000;

  /** Rows in flight that one look brings once more. */
  private static final int KNOWN_MAX = 32;

  private static final int KNOWN_BYTES_MAX = 16 << 10;

  /** Rows in flight may take up to 1/this of the rows and the bytes that a poll may bring. */
  private static final int KNOWN_SHARE = 2;

  private final InFlightWindow inFlight;

  FloorReads(InFlightWindow inFlight) {
    this.inFlight = inFlight;
  }

  /**
   * Widens the poll: partitions whose late rows it can bring as well are read from their floors on.
   */
  ReadPlan widened(ReadPlan look) {
    if (!look.toTheEnd()) {
      return look; // a backlog
    }
    List<SequenceRange> spans = new ArrayList<>(look.spans());
    int rows = 0;
    long bytes = 0;
    for (int i = 0; i < spans.size(); i++) {
      PartitionState partition = look.partitions().get(i);
      int knownRows = inFlight.of(partition.partition);
      long knownBytes = inFlight.bytesOf(partition.partition);
      boolean few = rows + knownRows <= KNOWN_MAX && bytes + knownBytes <= KNOWN_BYTES_MAX;
      if (few && allKnownInFlight(partition) && leavesRoom(look, knownRows, knownBytes)) {
        rows += knownRows;
        bytes += knownBytes;
        spans.set(
            i, new SequenceRange(partition.partition, partition.floor(), spans.get(i).upTo()));
      }
    }
    return look.spans(spans);
  }

  /** True if a row below the cursor is in flight, or late. */
  private static boolean allKnownInFlight(PartitionState partition) {
    return partition.keyed()
        && partition.hasLateSpan()
        && partition.cursor() - partition.floor() <= SEQUENCES_MAX
        && !partition.holdsAny()
        && !partition.isRereading();
  }

  private static boolean leavesRoom(ReadPlan look, int rows, long bytes) {
    return rows <= look.limit().rows() / KNOWN_SHARE && bytes <= look.limit().bytes() / KNOWN_SHARE;
  }

  /** What a look brought without those rows below the cursors that are in flight. */
  ReadRows unknown(ReadPlan look, ReadRows read) {
    if (look.fromFloor().isEmpty()) {
      return read;
    }
    Map<Integer, Long> cursors = new HashMap<>();
    look.partitions().forEach(p -> cursors.put(p.partition, p.cursor()));
    List<StoredMessage> rows = new ArrayList<>(read.rows());
    rows.removeIf(row -> isBelow(cursors, row.position()) && inFlight.contains(row.position()));
    return new ReadRows(rows, read.more());
  }

  private static boolean isBelow(Map<Integer, Long> cursors, Position position) {
    return position.sequence() <= cursors.getOrDefault(position.partition(), 0L);
  }
}
