package io.angarium.relay;

import io.angarium.TimeSource;
import java.time.Duration;

/**
 * Notices when every attempt of this node keeps failing, so that it can give its share to others.
 * Not thread-safe: one thread at a time.
 */
final class NodeHealth {
  private final TimeSource time;
  private final Duration restAfter;
  private boolean failing;
  private long failingSinceNanos;
  private long lastFailureNanos;

  NodeHealth(TimeSource time, Duration restAfter) {
    this.time = time;
    this.restAfter = restAfter;
  }

  /** An attempt succeeded, or the node was given a rest: counts anew. */
  void recovered() {
    failing = false;
  }

  void failed() {
    long now = time.nanoTime();
    if (!failing) {
      failing = true;
      failingSinceNanos = now;
    }
    lastFailureNanos = now;
  }

  /** True if attempts went on failing for the whole time; one old failure is no reason. */
  boolean needsRest() {
    return failing && lastFailureNanos - failingSinceNanos >= restAfter.toNanos();
  }
}
