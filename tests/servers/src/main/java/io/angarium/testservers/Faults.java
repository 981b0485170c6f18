package io.angarium.testservers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The faults of a proxy at this moment; those who wait for a change are woken by it. Thread-safe.
 */
final class Faults {
  /**
   * What may be done with bytes: how many may pass, and whether the connections break after them.
   */
  record Passage(int bytes, boolean cut) {}

  private final Set<FaultProxy.Way> held = EnumSet.noneOf(FaultProxy.Way.class);
  private final Map<FaultProxy.Way, Long> remaining = new EnumMap<>(FaultProxy.Way.class);
  private long latencyNanos;
  private long bytesPerSecond = Long.MAX_VALUE;

  synchronized void hold(FaultProxy.Way way, boolean hold) {
    if (hold) {
      held.add(way);
    } else {
      held.remove(way);
    }
    notifyAll();
  }

  synchronized void latency(Duration latency) {
    latencyNanos = latency.toNanos();
    notifyAll();
  }

  synchronized void bandwidth(long limit) {
    bytesPerSecond = limit;
    notifyAll();
  }

  synchronized void cutAfter(FaultProxy.Way way, long bytes) {
    remaining.put(way, bytes);
    notifyAll();
  }

  synchronized void clear() {
    held.clear();
    remaining.clear();
    latencyNanos = 0;
    bytesPerSecond = Long.MAX_VALUE;
    notifyAll();
  }

  /** Waits until bytes that arrived at {@code arrivedNanos} may go on, or the connection is cut. */
  synchronized void awaitTurn(FaultProxy.Way way, long arrivedNanos, Cut cut)
      throws InterruptedException {
    while (!cut.isCut()) {
      long pause = arrivedNanos + latencyNanos - System.nanoTime();
      if (held.contains(way)) {
        wait();
      } else if (pause > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, pause);
      } else {
        return;
      }
    }
  }

  /** Waits for as long as the transfer of these bytes takes under the limit of the bandwidth. */
  synchronized void awaitTransfer(int bytes, Cut cut) throws InterruptedException {
    long start = System.nanoTime();
    while (!cut.isCut() && bytesPerSecond != Long.MAX_VALUE) {
      long pause = (long) (bytes * 1e9 / bytesPerSecond) - (System.nanoTime() - start);
      if (pause <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, pause);
    }
  }

  synchronized boolean isNarrow() {
    return bytesPerSecond != Long.MAX_VALUE;
  }

  /** Waits until the faults are others, or so long. */
  synchronized void awaitChange(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.timedWait(this, millis);
  }

  /** Counts bytes on their way and says how many of them are still to be delivered. */
  synchronized Passage pass(FaultProxy.Way way, int bytes) {
    Long left = remaining.get(way);
    if (left == null) {
      return new Passage(bytes, false);
    }
    if (left > bytes) {
      remaining.put(way, left - bytes);
      return new Passage(bytes, false);
    }
    remaining.remove(way);
    return new Passage(left.intValue(), true);
  }

  /** Wakes those who wait, so that they see that their connection was cut. */
  synchronized void wake() {
    notifyAll();
  }

  /** Whether a connection was cut. */
  interface Cut {
    boolean isCut();
  }
}
