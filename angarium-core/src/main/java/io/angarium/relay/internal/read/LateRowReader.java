package io.angarium.relay.internal.read;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows that became visible below the cursors: ids are handed out before transactions commit.
 * Not thread-safe: one thread at a time.
 */
final class LateRowReader {
  private static final int LATE_MAX = 5_000;

  private final RelayContext context;
  private final InFlightWindow inFlight;
  private final OwnedPartitions partitions;
  private final ReadBudget room;
  private final Consumer<StoredMessage> take;
  private @Nullable Snapshot snapshot;
  private @Nullable Snapshot latest;
  private long nextNanos;

  /**
   * @param take takes a row that was found
   */
  LateRowReader(
      RelayContext context,
      InFlightWindow inFlight,
      OwnedPartitions partitions,
      ReadBudget room,
      Consumer<StoredMessage> take) {
    this.context = context;
    this.inFlight = inFlight;
    this.partitions = partitions;
    this.room = room;
    this.take = take;
    this.nextNanos = context.time().nanoTime();
  }

  /** Nanoseconds until all partitions are to be looked at; zero or less if they are. */
  long nanosToDue() {
    return nextNanos - context.time().nanoTime();
  }

  /** Forgets what was visible: every row of the spans counts as late. */
  void forget() {
    snapshot = null;
    latest = null;
  }

  /** To be called before any read of new rows: what becomes visible later is late. */
  void begin() {
    if (snapshot == null) {
      snapshot = context.store().readLate(List.of(), null, ReadLimit.rows(1)).snapshot();
      latest = snapshot;
    }
  }

  /**
   * Takes late rows of all partitions, and sets the time for the next look.
   *
   * @param rows new ones that wait for the late ones
   * @return false if the window had no room for all of them
   */
  boolean readAll(List<StoredMessage> rows, Duration pause) {
    nextNanos = context.time().nanoTime() + pause.toNanos();
    List<SequenceRange> spans = spans(null);
    if (spans.isEmpty()) {
      return true;
    }
    Snapshot seen = take(spans, bytes(rows));
    if (seen != null) { // the new rows were read before this snapshot: it counts from next time on
      snapshot = latest;
      latest = seen;
    }
    return seen != null;
  }

  /**
   * Takes late rows of the partitions that new rows with a key came from.
   *
   * @param rows new ones that wait for the late ones
   * @param except partitions whose late rows are among the rows
   * @return false if the window had no room for all of them
   */
  boolean readBelow(List<StoredMessage> rows, Set<Integer> except) {
    Set<Integer> wanted = new HashSet<>();
    for (StoredMessage row : rows) {
      if (row.isKeyed()) {
        wanted.add(row.position().partition());
      }
    }
    wanted.removeAll(except);
    List<SequenceRange> spans = spans(wanted);
    return spans.isEmpty() || take(spans, bytes(rows)) != null;
  }

  /** Where late rows may be; null wants all partitions. */
  private List<SequenceRange> spans(@Nullable Set<Integer> wanted) {
    List<SequenceRange> spans = new ArrayList<>();
    for (PartitionState partition : partitions.active()) {
      boolean asked = wanted == null || wanted.contains(partition.partition);
      if (asked && partition.hasLateSpan()) {
        spans.add(partition.lateSpan());
      }
    }
    return spans;
  }

  /**
   * Takes late rows part by part, as the limits cut them. Each part begins at the start of the
   * partitions that were cut: a transaction that was committed since the last part may have rows in
   * what that had covered, and they go before its others.
   *
   * @param loaded bytes of new rows that wait for the late ones
   * @return the snapshot up to which late rows were taken; null if they did not all fit
   */
  private @Nullable Snapshot take(List<SequenceRange> spans, long loaded) {
    Snapshot first = null;
    Set<Position> taken = new HashSet<>();
    List<SequenceRange> left = spans;
    while (!left.isEmpty()) {
      if (room.fullBeside(loaded)) {
        return null; // with nothing in flight there is no result to wait for: at least one goes on
      }
      LateRows part = read(left, loaded, taken, first != null);
      for (StoredMessage row : part.rows()) {
        taken.add(row.position());
        take.accept(row);
      }
      first = first == null ? part.snapshot() : first;
      left = cut(left, part.rest());
    }
    return first;
  }

  private LateRows read(
      List<SequenceRange> spans, long loaded, Set<Position> taken, boolean again) {
    ReadLimit limit = room.late(loaded, LATE_MAX);
    if (again) { // known rows may count
      int known = inFlight.size() + taken.size();
      limit = new ReadLimit(limit.rows() + known, limit.bytes());
    }
    return context
        .store()
        .readLate(spans, snapshot, limit, at -> inFlight.contains(at) || taken.contains(at));
  }

  private static List<SequenceRange> cut(List<SequenceRange> spans, List<SequenceRange> rest) {
    Set<Integer> partitions = new HashSet<>();
    rest.forEach(span -> partitions.add(span.partition()));
    return spans.stream().filter(span -> partitions.contains(span.partition())).toList();
  }

  private static long bytes(List<StoredMessage> rows) {
    long bytes = 0;
    for (StoredMessage row : rows) {
      bytes += row.message().payload().length;
    }
    return bytes;
  }
}
