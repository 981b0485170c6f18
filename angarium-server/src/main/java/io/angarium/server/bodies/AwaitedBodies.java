package io.angarium.server.bodies;

import java.util.concurrent.ConcurrentHashMap;

/**
 * How many bodies of each caller are awaited, each on a thread that others need, too. Thread-safe.
 */
public final class AwaitedBodies {
  private final int callerMax;
  private final ConcurrentHashMap<String, Integer> byCaller = new ConcurrentHashMap<>();

  /**
   * @param callerMax of one caller at a time; at least 1
   */
  public AwaitedBodies(int callerMax) {
    this.callerMax = callerMax;
  }

  /** Counts one more, to be taken back by {@link #end}; false if the caller has too many. */
  boolean begin(String caller) {
    int awaited = byCaller.merge(caller, 1, Integer::sum);
    if (awaited > callerMax) {
      end(caller);
      return false;
    }
    return true;
  }

  void end(String caller) {
    byCaller.computeIfPresent(caller, (name, awaited) -> awaited == 1 ? null : awaited - 1);
  }

  int callerMax() {
    return callerMax;
  }
}
