package io.angarium.relay.internal.flight;

import io.angarium.Destination;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** What one of several transports has of the window. Not thread-safe: one thread at a time. */
public final class TransportQuota {
  /** How long reads stop for a share that does not get emptier. */
  static final Duration PATIENCE = Duration.ofMillis(500);

  private static final int NEARLY = 10;

  private final int recordsMax;
  private final long bytesMax;
  private final Set<Destination> held = new LinkedHashSet<>();
  private int records;
  private long bytes;
  private boolean waitedFor;
  private long waitedSinceNanos;

  TransportQuota(int recordsMax, long bytesMax) {
    this.recordsMax = recordsMax;
    this.bytesMax = bytesMax;
  }

  void add(int messageBytes) {
    records++;
    bytes += messageBytes;
  }

  void remove(int messageBytes) {
    records--;
    bytes -= messageBytes;
  }

  /** True if no further message may be in flight; one alone always may, however large. */
  boolean isFull() {
    return records >= recordsMax || bytes >= bytesMax;
  }

  void hold(Destination destination) {
    held.add(destination);
  }

  boolean holds(Destination destination) {
    return held.contains(destination);
  }

  /**
   * Gives what was held back, once half of the share is free: the destinations held back first, not
   * more of them than messages have room.
   */
  void resume(Collection<Destination> resumed) {
    if (!held.isEmpty() && records <= recordsMax / 2 && bytes <= bytesMax / 2) {
      Iterator<Destination> first = held.iterator();
      for (int room = Math.max(1, recordsMax - records); room > 0 && first.hasNext(); room--) {
        resumed.add(first.next());
        first.remove();
      }
    }
  }

  /** Messages that may be read for it; all there are once it was waited for in vain. */
  int free(long bytesEach, long nowNanos) {
    long all = Math.max(1, Math.min(recordsMax, bytesMax / Math.max(1, bytesEach)));
    long free = Math.min(recordsMax - records, (bytesMax - bytes) / Math.max(1, bytesEach));
    if (records == 0 || free > all / NEARLY) {
      waitedFor = false;
      return (int) Math.max(1, free);
    }
    if (!waitedFor) {
      waitedFor = true;
      waitedSinceNanos = nowNanos;
    }
    return nowNanos - waitedSinceNanos < PATIENCE.toNanos() ? 0 : Integer.MAX_VALUE;
  }
}
