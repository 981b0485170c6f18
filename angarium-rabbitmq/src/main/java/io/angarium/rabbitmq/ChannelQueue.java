package io.angarium.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that go out through one channel at a time, in order. Guarded by the lock of {@link
 * ChannelQueues}.
 */
final class ChannelQueue {
  /** Maximum messages in a batch. The publisher checks for other work after each batch. */
  private static final int BATCH_MAX = 64;

  /**
   * Maximum bytes of payload in a batch. The message that reaches it still belongs to the batch.
   */
  private static final int BATCH_BYTES_MAX = 256 << 10;

  final Deque<RabbitAttempt> waiting = new ArrayDeque<>();
  private final int window;

  /** Null while the channel is not open. */
  @Nullable Link link;

  /**
   * @param window how many may be without a confirm; 1 if the channel is to break for one message
   *     alone
   */
  ChannelQueue(int window) {
    this.window = window;
  }

  /** True if one message is in flight at a time, so that a break shows which one caused it. */
  boolean isCareful() {
    return window == 1;
  }

  /**
   * Returns the messages to publish next; empty if there are none or the window is full.
   *
   * @param given true for a message that already has its result and is not published any more
   */
  List<RabbitAttempt> next(long nowNanos, Predicate<RabbitAttempt> given) {
    Link open = link;
    if (open == null || waiting.isEmpty() || !open.isUsable()) {
      return List.of();
    }
    int room = Math.min(BATCH_MAX, window - open.unconfirmed());
    int bytes = 0;
    List<RabbitAttempt> next = new ArrayList<>();
    while (next.size() < room && !waiting.isEmpty() && bytes < BATCH_BYTES_MAX) {
      RabbitAttempt attempt = waiting.remove();
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
