package io.angarium.spring.operate;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts dead letters by destination. Destinations beyond the first {@link #NAMED_MAX} are counted
 * together, so that an answer stays small. Not thread-safe.
 */
public final class DestinationCounts {
  /** The most destinations that have a count of their own. */
  public static final int NAMED_MAX = 100;

  /** Stands for the destinations without a count of their own. No destination is called that. */
  public static final String OTHER = "other";

  private final SortedMap<String, Integer> counts = new TreeMap<>();

  /** Begins with no counts. */
  public DestinationCounts() {}

  /** Counts one dead letter. */
  public void add(String destination) {
    boolean named = counts.containsKey(destination) || counts.size() < NAMED_MAX;
    counts.merge(named ? destination : OTHER, 1, Integer::sum);
  }

  /** Returns how many were counted. */
  public int sum() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the counts by destination, in alphabetical order. */
  public SortedMap<String, Integer> byDestination() {
    return new TreeMap<>(counts);
  }
}
