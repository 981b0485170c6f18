package io.angarium.half.check;

import io.angarium.TimeSource;
import io.angarium.half.check.CheckStore.Entered;
import java.time.Duration;

/**
 * Finds half messages that stay prepared, in the order of their numbers from a remembered one. A
 * row that appears below that, as its transaction was open for long, is found by a sweep: one at
 * the start over everything, and every so many times once more; the others from where the search
 * was when the last but one of these began. A sweep goes in stretches, the newest first and each
 * ten times as long as the one before, so that what was fresh when a node was killed is not behind
 * all that was ever decided. One thread.
 */
final class StalePreparedSearch {
  /** So much a node that starts looks at before it has swept everything; the first stretch, too. */
  static final long START_BACK = 100_000;

  private static final int STRETCH_GROWTH = 10;

  /** Pages of one round: as fast as anybody prepares. */
  private static final int SEARCH_PAGES_MAX = 100;

  /** And of the sweep, which nobody waits for. */
  private static final int SWEEP_PAGES_MAX = 20;

  /** One in this many sweeps covers everything. */
  private static final int WHOLE_EVERY = 24;

  private final CheckStore store;
  private final Duration age;
  private final Duration pause;
  private final TimeSource time;
  private boolean started;
  private long reached;
  private boolean sweeping;
  private long swept;
  private long sweepBegin;
  private long stretchBegin;
  private long stretchEnd;
  private long stretch;
  private long floor;
  private long wholeBegun;
  private int sweeps;
  private long sweepAtNanos;

  StalePreparedSearch(CheckStore store, CheckBackConfig config, TimeSource time) {
    this.store = store;
    this.age = config.pauses().first();
    this.pause = config.sweep();
    this.time = time;
  }

  /** Enters what is of age. */
  void round() {
    if (!started) {
      reached = Math.max(0, store.last() - START_BACK);
      wholeBegun = reached;
      sweepAtNanos = time.nanoTime();
      started = true;
    }
    reached = pages(reached, Long.MAX_VALUE, SEARCH_PAGES_MAX);
    if (!sweeping && time.nanoTime() - sweepAtNanos >= 0) {
      beginSweep();
    }
    if (sweeping) {
      sweep();
    }
  }

  private void beginSweep() {
    boolean whole = sweeps % WHOLE_EVERY == 0;
    sweeps++;
    if (whole) {
      floor = wholeBegun;
      wholeBegun = reached;
    }
    sweepBegin = whole ? 0 : floor;
    stretch = START_BACK;
    beginStretch(reached);
    sweeping = true;
  }

  private void beginStretch(long end) {
    stretchEnd = end;
    stretchBegin = Math.max(sweepBegin, end - stretch);
    swept = stretchBegin;
  }

  private void sweep() {
    long before = swept;
    swept = pages(swept, stretchEnd, SWEEP_PAGES_MAX);
    if (swept < stretchEnd && swept != before) {
      return;
    }
    if (stretchBegin > sweepBegin) {
      stretch *= STRETCH_GROWTH;
      beginStretch(stretchBegin);
    } else {
      sweeping = false;
      sweepAtNanos = time.nanoTime() + pause.toNanos();
    }
  }

  private long pages(long from, long end, int pagesMax) {
    long at = from;
    Entered page;
    int pages = 0;
    do {
      page = store.enter(at, age);
      at = page.reached();
      pages++;
    } while (page.more() && at < end && pages < pagesMax);
    return at;
  }
}
