package io.angarium.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that go out through one channel at a time, in order. Guarded by the lock of {@link
 * Lanes}.
 */
final class Lane {
  /** Published between two looks at what else is to be done. */
  private static final int BATCH_MAX = 64;

  /** Of their payloads, as far as the first does not take more. */
  private static final int BATCH_BYTES_MAX = 256 << 10;

  final Deque<Attempt> waiting = new ArrayDeque<>();
  private final int window;

  /** Null while the channel is not open. */
  @Nullable Link link;

  /**
   * @param window how many may be without a confirm; 1 if the channel is to break for one message
   *     alone
   */
  Lane(int window) {
    this.window = window;
  }

  /** True if whatever breaks its channel is known by that. */
  boolean isCareful() {
    return window == 1;
  }

  /**
   * Those that are published next; empty if there are none or the window is full.
   *
   * @param given true for one that has its result already and is not published any more
   */
  List<Attempt> next(long nowNanos, Predicate<Attempt> given) {
    Link open = link;
    if (open == null || waiting.isEmpty() || !open.isUsable()) {
      return List.of();
    }
    int room = Math.min(BATCH_MAX, window - open.unconfirmed());
    int bytes = 0;
    List<Attempt> next = new ArrayList<>();
    while (next.size() < room && !waiting.isEmpty() && bytes < BATCH_BYTES_MAX) {
      Attempt attempt = waiting.remove();
      if (!given.test(attempt)) {
        open.publishing(attempt, nowNanos);
        bytes += attempt.payloadBytes();
        next.add(attempt);
      }
    }
    return next;
  }

  boolean isIdle() {
    Link open = link;
    return waiting.isEmpty() && (open == null || open.unconfirmed() == 0);
  }
}
