package io.angarium.relay.internal.read;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.store.Invariant;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The safety net below all other reads: at long intervals every row up to the cursors, in parts as
 * the window has room. Not thread-safe: one thread at a time.
 */
final class SafetySweep {
  private final RelayContext context;
  private final InFlightWindow inFlight;
  private final OwnedPartitions partitions;
  private final ReadBudget room;
  private final Predicate<Destination> forgotten;
  private final BiConsumer<StoredMessage, PartitionState> offer;
  private final Map<Integer, Long> sweeping = new HashMap<>();
  private long nextNanos;

  /**
   * @param forgotten tells whether nobody would resume what is held for a destination
   * @param offer takes a row that nobody else had seen
   */
  SafetySweep(
      RelayContext context,
      InFlightWindow inFlight,
      OwnedPartitions partitions,
      ReadBudget room,
      Predicate<Destination> forgotten,
      BiConsumer<StoredMessage, PartitionState> offer) {
    this.context = context;
    this.inFlight = inFlight;
    this.partitions = partitions;
    this.room = room;
    this.forgotten = forgotten;
    this.offer = offer;
    this.nextNanos = context.time().nanoTime() + intervalNanos();
  }

  private long intervalNanos() {
    return context.config().polling().sweep().toNanos();
  }

  /** Breaks off; the next one begins at its time. */
  void forget() {
    sweeping.clear();
  }

  /** Reads the next part, if it is time to and the window has room. Blocks. */
  void run() {
    long now = context.time().nanoTime();
    if (sweeping.isEmpty()) {
      if (now - nextNanos < 0) {
        return;
      }
      nextNanos = now + intervalNanos();
      partitions.active().forEach(p -> sweeping.put(p.partition, 0L));
    }
    int free = room.rows();
    if (free > 0) {
      sweep(free);
    }
  }

  private void sweep(int free) {
    List<SequenceRange> spans = spans();
    sweeping.clear();
    if (spans.isEmpty()) {
      return;
    }
    ReadRows read = context.store().read(spans, room.side(Math.max(1, free / spans.size())));
    for (SequenceRange span : spans) {
      if (read.more().contains(span.partition())) {
        sweeping.put(span.partition(), span.after());
      }
    }
    List<StoredMessage> overdue = new ArrayList<>();
    for (StoredMessage row : read.rows()) {
      sweeping.computeIfPresent(
          row.position().partition(), (p, from) -> Math.max(from, row.position().sequence()));
      recover(row, overdue);
    }
    if (!overdue.isEmpty()) {
      report(overdue);
    }
  }

  private List<SequenceRange> spans() {
    List<SequenceRange> spans = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : sweeping.entrySet()) {
      PartitionState partition = partitions.get(entry.getKey());
      if (partition != null && entry.getValue() < partition.cursor()) {
        spans.add(new SequenceRange(entry.getKey(), entry.getValue(), partition.cursor()));
      }
    }
    return spans;
  }

  private void recover(StoredMessage row, List<StoredMessage> overdue) {
    PartitionState partition = partitions.get(row.position().partition());
    if (partition == null || inFlight.contains(row.position())) {
      return;
    }
    if (row.isKeyed() && partition.leaves(row.keyHash())) {
      return;
    }
    Destination destination = row.message().destination();
    if (partition.holds(destination)) {
      if (forgotten.test(destination)) {
        partition.resume(destination);
        overdue.add(row);
      }
      return;
    }
    if (row.position().sequence() <= partition.floor()) {
      overdue.add(row); // above it the late reads would have found it as well
    }
    offer.accept(row, partition);
  }

  private void report(List<StoredMessage> overdue) {
    context
        .tripwire()
        .broken(
            Invariant.OVERDUE,
            "the sweep found "
                + overdue.size()
                + " committed messages that nothing else had sent, the first "
                + overdue.get(0)
                + "; they are sent now. If rows were copied into the table or its sequence was set"
                + " back, raise the sequence above the highest id; else report it.");
  }
}
