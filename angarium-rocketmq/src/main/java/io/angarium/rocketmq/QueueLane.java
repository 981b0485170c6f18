package io.angarium.rocketmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * The messages for one queue of a topic, in order. One request is under way at a time: a broker
 * works on requests with several threads, so two could change places. Guarded by the lock of {@link
 * Queues}.
 */
final class QueueLane {
  /** Messages that go to the broker in one request: all of them are stored, or none. */
  record Batch(QueueLane lane, List<RocketAttempt> attempts, long sentNanos) {
    long bytes() {
      return attempts.stream().mapToLong(attempt -> attempt.bytes).sum();
    }
  }

  final MessageQueue queue;
  final Deque<RocketAttempt> waiting = new ArrayDeque<>();

  /** How many messages the broker failed on, one by one, since it stored some. */
  int failedInARow;

  private final int batchMessages;
  private final int batchBytes;
  private @Nullable Batch underWay;

  QueueLane(MessageQueue queue, RocketConfig config) {
    this.queue = queue;
    this.batchMessages = config.batchMessages();
    // the brokers take no request that is larger, whatever is in it
    this.batchBytes = Math.min(config.batchBytes(), config.messageBytesMax());
  }

  @Nullable Batch underWay() {
    return underWay;
  }

  /** True until it has an answer, or is given up. */
  @SuppressWarnings("ReferenceEquality") // a request is equal to itself only
  boolean isUnderWay(Batch batch) {
    return underWay == batch;
  }

  boolean isIdle() {
    return underWay == null && waiting.isEmpty();
  }

  /** Takes the next request's messages; null if there are none, or a request is under way. */
  @Nullable Batch next(long nowNanos) {
    if (underWay != null || waiting.isEmpty()) {
      return null;
    }
    List<RocketAttempt> attempts = new ArrayList<>();
    long bytes = 0;
    while (!waiting.isEmpty() && attempts.size() < batchMessages) {
      RocketAttempt next = waiting.getFirst();
      bytes += next.bytes;
      boolean first = attempts.isEmpty();
      if (!first && (bytes > batchBytes || next.alone || attempts.get(0).alone)) {
        break;
      }
      attempts.add(waiting.remove());
    }
    underWay = new Batch(this, attempts, nowNanos);
    return underWay;
  }

  /** Ends a request; false if it had ended before. */
  boolean ended(Batch batch) {
    if (!isUnderWay(batch)) {
      return false;
    }
    underWay = null;
    return true;
  }

  /** Puts the messages of a refused request back to their places, to go one by one. */
  void isolate(Batch batch) {
    for (int i = batch.attempts().size() - 1; i >= 0; i--) {
      RocketAttempt attempt = batch.attempts().get(i);
      attempt.alone = true;
      waiting.addFirst(attempt);
    }
  }

  /** Takes out all that wait. */
  List<RocketAttempt> takeWaiting() {
    List<RocketAttempt> all = new ArrayList<>(waiting);
    waiting.clear();
    return all;
  }
}
