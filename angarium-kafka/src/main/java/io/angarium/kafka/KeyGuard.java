package io.angarium.kafka;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.internal.DeferredResults;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes a gap of the order per key: when a message fails, its caller may be about to hand over a
 * later one of the same key, because it has not seen the result yet. Such a message must not be
 * stored before the failed one.
 *
 * <p>So failed messages are remembered until their caller must have seen the results of all of
 * their key: until the call of {@code send} with keys ends that was running then or, if none was,
 * the next one. While a producer is ending, results come in bit by bit, and nothing is forgotten.
 * Until then they may pass again in their old order, and others only after them. Thread-safe.
 */
final class KeyGuard {
  /** What one caller knows of a key is not what another does. */
  private record Key(Object caller, Destination destination, String key) {}

  /** The failed messages of one key. */
  private static final class Failures {
    /** Where each stood when it failed first, so that a second failure does not change its turn. */
    final Map<MessageId, Long> turns = new HashMap<>();

    /** Messages that were not handed over again, by turn. */
    final NavigableMap<Long, KafkaAttempt> waiting = new TreeMap<>();

    boolean allDelivered() {
      return waiting.values().stream().allMatch(KafkaAttempt::isDelivered);
    }
  }

  private final BiConsumer<KafkaAttempt, SendResult> found = this::found;
  private final Map<Key, Failures> failed = new HashMap<>();
  private int producersEnding;
  private volatile boolean armed;

  /** A producer is about to end: forgets nothing until {@link #producerEnded}. */
  synchronized void producerEnding() {
    producersEnding++;
  }

  /** All results of a producer that ended have been given. */
  synchronized void producerEnded() {
    producersEnding--;
  }

  /** Results to be given without a lock; failures are remembered here at once. */
  DeferredResults<KafkaAttempt> deferred() {
    return new DeferredResults<>(found, KafkaAttempt::decide);
  }

  private void found(KafkaAttempt attempt, SendResult result) {
    if (!(result instanceof SendResult.Refused)) {
      failed(attempt);
    }
  }

  /** Remembers a failed attempt; called before its result is given to anyone. */
  void failed(KafkaAttempt attempt) {
    Key key = key(attempt.caller(), attempt.message());
    if (key == null) {
      return;
    }
    synchronized (this) {
      armed = true;
      Failures failures = failed.computeIfAbsent(key, k -> new Failures());
      long turn = failures.turns.computeIfAbsent(attempt.message().id(), id -> attempt.number());
      failures.waiting.put(turn, attempt);
    }
  }

  /** Whether a message must not be handed over now. If it may, its turn has come. */
  boolean blocks(Object caller, StoredMessage message) {
    return armed && isBehindFailed(caller, message);
  }

  private synchronized boolean isBehindFailed(Object caller, StoredMessage message) {
    Key key = key(caller, message);
    Failures failures = key == null ? null : failed.get(key);
    if (failures == null || failures.waiting.isEmpty()) {
      return false;
    }
    if (!failures.waiting.firstKey().equals(failures.turns.get(message.id()))) {
      return true;
    }
    failures.waiting.pollFirstEntry();
    return false;
  }

  /**
   * A call of {@code send} has ended: the caller sees all results given so far before the next. One
   * without any key may be another caller's, and says nothing of what the one with keys has seen.
   */
  void callEnded(Object caller, List<StoredMessage> messages) {
    if (armed && messages.stream().anyMatch(message -> message.message().key() != null)) {
      forgetDelivered(caller);
    }
  }

  @SuppressWarnings("ReferenceEquality") // views of a transport are told apart by identity
  private synchronized void forgetDelivered(Object caller) {
    if (producersEnding > 0) {
      return;
    }
    failed
        .entrySet()
        .removeIf(one -> one.getKey().caller() == caller && one.getValue().allDelivered());
    armed = !failed.isEmpty();
  }

  private static @Nullable Key key(Object caller, StoredMessage message) {
    String key = message.message().key();
    return key == null ? null : new Key(caller, message.message().destination(), key);
  }
}
