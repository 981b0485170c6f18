package io.angarium.relay;

import io.angarium.store.ReadRows;
import io.angarium.store.Span;
import io.angarium.store.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The safety net below all other reads: at long intervals every row up to the cursors, in parts as
 * the window has room. Not thread-safe: one thread at a time.
 */
final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final RelayContext context;
  private final Flights flights;
  private final Partitions partitions;
  private final Room room;
  private final BiConsumer<StoredMessage, PartitionState> offer;
  private final Map<Integer, Long> sweeping = new HashMap<>();
  private long nextNanos;

  /**
   * @param offer takes a row that nobody else had seen
   */
  Sweep(
      RelayContext context,
      Flights flights,
      Partitions partitions,
      Room room,
      BiConsumer<StoredMessage, PartitionState> offer) {
    this.context = context;
    this.flights = flights;
    this.partitions = partitions;
    this.room = room;
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
    List<Span> spans = spans();
    sweeping.clear();
    if (spans.isEmpty()) {
      return;
    }
    ReadRows read = context.store().read(spans, room.side(Math.max(1, free / spans.size())));
    for (Span span : spans) {
      if (read.more().contains(span.partition())) {
        sweeping.put(span.partition(), span.after());
      }
    }
    for (StoredMessage row : read.rows()) {
      sweeping.computeIfPresent(
          row.position().partition(), (p, from) -> Math.max(from, row.position().sequence()));
      recover(row);
    }
  }

  private List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : sweeping.entrySet()) {
      PartitionState partition = partitions.get(entry.getKey());
      if (partition != null && entry.getValue() < partition.cursor()) {
        spans.add(new Span(entry.getKey(), entry.getValue(), partition.cursor()));
      }
    }
    return spans;
  }

  private void recover(StoredMessage row) {
    PartitionState partition = partitions.get(row.position().partition());
    if (partition == null
        || flights.contains(row.position())
        || partition.holds(row.message().destination())) {
      return;
    }
    LOG.warn("Sweep found {}, which no other read had seen; sending it.", row);
    offer.accept(row, partition);
  }
}
