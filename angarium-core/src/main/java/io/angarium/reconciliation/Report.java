package io.angarium.reconciliation;

import java.util.List;

/**
 * What a comparison found. Immutable.
 *
 * @param window what was compared
 * @param produced the digest of the first side
 * @param consumed the digest of the second side
 * @param missing keys of the first side that the second lacks, or has less often
 * @param unexpected keys of the second side that the first lacks
 * @param repeated keys that the second side has more often than the first
 * @param complete false if there were more differences than a report holds; compare the halves of
 *     the window for the others
 */
public record Report(
    Window window,
    Digest produced,
    Digest consumed,
    List<String> missing,
    List<String> unexpected,
    List<String> repeated,
    boolean complete) {
  /** The most keys of each kind that a report holds, but for one of a single millisecond. */
  public static final int KEYS_MAX = 10_000;

  /** Takes copies of the lists. */
  public Report {
    missing = List.copyOf(missing);
    unexpected = List.copyOf(unexpected);
    repeated = List.copyOf(repeated);
  }

  /**
   * True if both sides have the same keys. A report that does not agree and names none comes from a
   * window in which something changed each time it was read.
   */
  public boolean agrees() {
    return produced.equals(consumed);
  }

  /** True if sides differed, but not any more when their keys were read. */
  boolean isUnexplained() {
    return !agrees() && missing.isEmpty() && unexpected.isEmpty() && repeated.isEmpty();
  }

  /** The numbers, for a log; never the keys. */
  @Override
  public String toString() {
    return "%s to %s: %d produced, %d consumed, %d missing, %d unexpected, %d repeated%s"
        .formatted(
            window.from(),
            window.to(),
            produced.count(),
            consumed.count(),
            missing.size(),
            unexpected.size(),
            repeated.size(),
            complete ? "" : ", and more");
  }
}
