package io.angarium.relay.internal.read;

import io.angarium.relay.settings.RelayConfig;
import java.time.Duration;

/**
 * Spaces polls. While polls find messages of other processes, which nobody announced, the next poll
 * follows soon; after the last of them the longest pause grows with the time that has passed, up to
 * the idle pause. Not thread-safe: one thread at a time.
 */
public final class PollPauses {
  /** The longest pause right after a message of another process, with up to ten nodes. */
  public static final Duration QUICK = Duration.ofMillis(20);

  /** So much of it for each node, so that all together ask a bounded number of times a second. */
  static final Duration QUICK_PER_NODE = Duration.ofMillis(2);

  /** The longest pause is this part of the time since the last message of another process. */
  static final int SLOWING = 64;

  private static final long PAUSE_MIN_NANOS = Duration.ofMillis(1).toNanos();

  private final long busyNanos;
  private final long quickNanos;
  private final long idleNanos;
  private long pauseNanos;
  private long foundNanos;
  private boolean everFound;

  public PollPauses(RelayConfig.Polling polling) {
    this.busyNanos = Math.max(PAUSE_MIN_NANOS, polling.busy().toNanos());
    this.idleNanos = polling.idle().toNanos();
    this.quickNanos = Math.max(busyNanos, QUICK.toNanos());
  }

  /** Begins with the shortest pause again: there may be something to find soon. */
  void restart() {
    pauseNanos = 0;
  }

  /** A poll found a message that another process committed. */
  public void foundOfOthers(long nowNanos) {
    foundNanos = nowNanos;
    everFound = true;
  }

  /**
   * The pause after a poll, in nanoseconds.
   *
   * @param some true if the poll found something
   * @param nodes that share the database, at least 1
   */
  public long after(boolean some, int nodes, long nowNanos) {
    long longer = some ? busyNanos : Math.max(busyNanos, pauseNanos * 2);
    pauseNanos = Math.min(longer, longestNanos(nodes, nowNanos));
    return pauseNanos;
  }

  private long longestNanos(int nodes, long nowNanos) {
    if (!everFound) {
      return idleNanos;
    }
    long part = (nowNanos - foundNanos) / SLOWING;
    long quick = Math.max(quickNanos, nodes * QUICK_PER_NODE.toNanos());
    return Math.min(idleNanos, Math.max(quick, part));
  }
}
