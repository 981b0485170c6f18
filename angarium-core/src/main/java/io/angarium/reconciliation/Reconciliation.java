package io.angarium.reconciliation;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.internal.DurationText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares two sides. Digests come first; a window whose digests differ is halved until it holds
 * few keys, and only those are loaded. So the cost of a comparison that finds nothing is one digest
 * of each side, and memory stays bounded. Thread-safe.
 */
public final class Reconciliation {
  /** The most keys of a window that are loaded; only one of a millisecond may have more. */
  static final int LOADED_MAX = 10_000;

  /** No limit on the differences of a single millisecond, whose keys were loaded anyway. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** How often a window is read in which something changes meanwhile. */
  private static final int LOOKS_MAX = 3;

  private final ReconciledSide produced;
  private final ReconciledSide consumed;

  /** Creates a comparison of two sides; opens nothing. */
  public Reconciliation(ReconciledSide produced, ReconciledSide consumed) {
    this.produced = produced;
    this.consumed = consumed;
  }

  /** Both names, e.g. {@code orders and stock}. */
  public String name() {
    return produced.name() + " and " + consumed.name();
  }

  /** The first side. */
  public ReconciledSide produced() {
    return produced;
  }

  /**
   * Makes sure that both sides remember what a task of that configuration compares. Asks neither.
   *
   * @throws ConfigurationException if a side forgets sooner: all that it has forgotten would differ
   */
  public void check(ReconciliationConfig config) {
    ConfigFaults faults = new ConfigFaults();
    for (ReconciledSide side : List.of(produced, consumed)) {
      side.retention()
          .ifPresent(
              kept ->
                  faults.require(
                      config.ageMax().compareTo(kept) <= 0,
                      "reconciliation.age-max",
                      config.ageMax(),
                      "at most "
                          + DurationText.of(kept)
                          + ", for which "
                          + side.name()
                          + " is remembered"));
    }
    faults.throwIfAny();
  }

  /**
   * Compares a window. Blocks as long as it takes to read it. It should end so far in the past that
   * what was produced in it has long been consumed, and not be older than what both sides remember.
   *
   * @throws RuntimeException what a side threw
   */
  public Report compare(Window window) {
    return compare(window, () -> {});
  }

  /**
   * Compares both sides like {@link #compare(Window)}.
   *
   * @param progress run before each part of the work
   */
  Report compare(Window window, Runnable progress) {
    Report report = compareOnce(window, progress);
    for (int again = 1; again < LOOKS_MAX && report.isUnexplained(); again++) {
      report = compareOnce(window, progress);
    }
    return report;
  }

  private Report compareOnce(Window window, Runnable progress) {
    Digest first = digest(produced, window, progress);
    Digest second = digest(consumed, window, progress);
    // there is no shorter window to find the others in
    Differences found = new Differences(window.canBeHalved() ? Report.KEYS_MAX : UNLIMITED);
    if (!first.equals(second)) {
      narrow(window, first, second, found, progress);
    }
    return found.report(window, first, second);
  }

  private static Digest digest(ReconciledSide side, Window window, Runnable progress) {
    progress.run();
    return side.digest(window);
  }

  private void narrow(
      Window window, Digest first, Digest second, Differences found, Runnable progress) {
    boolean few = first.count() <= LOADED_MAX && second.count() <= LOADED_MAX;
    if (few || !window.canBeHalved()) {
      found.add(load(produced, window, progress), load(consumed, window, progress));
      return;
    }
    for (Window half : window.halves()) {
      Digest ofFirst = digest(produced, half, progress);
      Digest ofSecond = digest(consumed, half, progress);
      if (!ofFirst.equals(ofSecond)) {
        narrow(half, ofFirst, ofSecond, found, progress);
      }
    }
  }

  private static Map<String, Integer> load(ReconciledSide side, Window window, Runnable progress) {
    progress.run();
    Map<String, Integer> counts = new HashMap<>();
    side.keys(window, key -> counts.merge(key, 1, Integer::sum));
    return counts;
  }

  /** What was found so far. */
  private static final class Differences {
    private final List<String> missing = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();
    private final int keysMax;
    private boolean complete = true;

    Differences(int keysMax) {
      this.keysMax = keysMax;
    }

    void add(Map<String, Integer> first, Map<String, Integer> second) {
      first.forEach(
          (key, count) -> {
            int others = second.getOrDefault(key, 0);
            if (others < count) {
              add(missing, key);
            } else if (others > count) {
              add(repeated, key);
            }
          });
      second.keySet().stream()
          .filter(key -> !first.containsKey(key))
          .forEach(key -> add(unexpected, key));
    }

    private void add(List<String> keys, String key) {
      if (keys.size() < keysMax) {
        keys.add(key);
      } else {
        complete = false;
      }
    }

    Report report(Window window, Digest first, Digest second) {
      return new Report(window, first, second, missing, unexpected, repeated, complete);
    }
  }
}
