package io.angarium.benchmarks.arm;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** What the heap of this JVM holds after collections, as far as its pools tell. */
final class LiveHeap {
  /** Bytes that were in use at the end of the last collection. */
  long live() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The most bytes the pools held since the last call, what could have been collected included. */
  long takePeak() {
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getPeakUsage();
      if (pool.getType() == MemoryType.HEAP && usage != null) {
        peak += usage.getUsed();
      }
      pool.resetPeakUsage();
    }
    return peak;
  }
}
