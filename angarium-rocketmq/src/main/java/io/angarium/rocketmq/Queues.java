package io.angarium.rocketmq;

import io.angarium.TimeSource;
import io.angarium.rocketmq.Caller.Call;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.store.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Where every message is between its handing over and its result: held back for its topic, waiting
 * for its queue, or under way. Does no I/O but through what sends requests. Thread-safe: guards all
 * of it by one lock, and gives results when it is released.
 *
 * <p>When a request fails because of the broker, all that waits for the same queue fails with it: a
 * later message of a key must not be stored before an earlier one. When a message fails by itself,
 * only those of its key do.
 */
final class Queues {
  private static final int TOPICS_MAX = 10_000;

  /** If so many messages for a queue fail one after the other, they are not to blame. */
  private static final int FAILED_IN_A_ROW_MAX = 3;

  private final RocketConfig config;
  private final Diagnosis diagnosis;
  private final TimeSource time;
  private final Warnings warnings;
  private final Consumer<Batch> requests;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger ungiven = new AtomicInteger();
  private final Map<String, Topic> topics = new HashMap<>();
  private @Nullable SendResult closed;

  /**
   * @param requests hands a request to the client; told of its end by {@link #stored} or {@link
   *     #failed}
   */
  Queues(RocketConfig config, Diagnosis diagnosis, TimeSource time, Consumer<Batch> requests) {
    this.config = config;
    this.diagnosis = diagnosis;
    this.time = time;
    this.warnings = new Warnings(config, time);
    this.requests = requests;
  }

  /** What is to be done when the lock is released. Not thread-safe: one thread at a time. */
  private final class Afterwards {
    final Outcomes outcomes = new Outcomes(ungiven);
    final List<Batch> batches = new ArrayList<>(1);
    final Set<Gate> failing = new LinkedHashSet<>(0);
    final List<Runnable> warnings = new ArrayList<>(0);

    /** True if a message is held back for a topic whose queues are not known. */
    boolean lookUp;

    /** The next request of a queue, if it can be sent. */
    void pump(QueueLane lane) {
      long now = time.nanoTime();
      if (lane.underWay() == null && isOverdue(lane, now)) {
        tooSlow(lane, this);
      }
      Batch next = lane.next(now);
      if (next != null) {
        batches.add(next);
      }
    }

    /** Gives all of them a result that a later message of their keys must not overtake. */
    void fail(Topic topic, Collection<Attempt> attempts, SendResult result) {
      attempts.forEach(attempt -> close(topic, attempt));
      attempts.forEach(attempt -> outcomes.add(attempt, result));
    }

    private void close(Topic topic, Attempt attempt) {
      String key = attempt.key();
      if (key != null) {
        Gate gate = topic.gate(attempt.call.caller());
        gate.fails(key, attempt.message.id());
        if (failing.add(gate)) {
          gate.failing();
        }
      }
    }

    void run() {
      try {
        outcomes.deliver();
      } finally {
        reopen();
        batches.forEach(requests);
        warnings.forEach(Runnable::run);
      }
    }

    private void reopen() {
      if (!failing.isEmpty()) {
        lock.lock();
        try {
          failing.forEach(Gate::failed);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private Afterwards locked(Consumer<Afterwards> work) {
    Afterwards afterwards = new Afterwards();
    lock.lock();
    try {
      work.accept(afterwards);
    } finally {
      lock.unlock();
    }
    afterwards.run();
    return afterwards;
  }

  // ---- in

  /**
   * Begins a call of {@code send}. One without any key may be that of somebody else, and is not
   * counted: it says nothing of what the one with keys has seen.
   */
  Call beginCall(Caller caller, List<StoredMessage> messages) {
    boolean counts = messages.stream().anyMatch(message -> message.message().key() != null);
    lock.lock();
    try {
      return caller.call(counts);
    } finally {
      lock.unlock();
    }
  }

  /** Takes messages in; true if a topic must be looked up for them. */
  boolean offer(List<Attempt> attempts) {
    return locked(
            afterwards -> {
              Set<QueueLane> touched = new LinkedHashSet<>();
              for (Attempt attempt : attempts) {
                QueueLane lane = route(attempt, afterwards);
                if (lane != null) {
                  touched.add(lane);
                }
              }
              touched.forEach(afterwards::pump);
            })
        .lookUp;
  }

  private @Nullable QueueLane route(Attempt attempt, Afterwards afterwards) {
    String name = attempt.address.topic();
    if (topics.size() >= TOPICS_MAX && !topics.containsKey(name)) {
      topics.values().removeIf(Topic::isForgettable);
    }
    Topic topic = topic(name);
    if (closed != null) {
      afterwards.outcomes.add(attempt, closed);
    } else if (topic.isClosedTo(attempt)) {
      // Given before the call returns, so the caller knows it before the next.
      afterwards.outcomes.add(attempt, Diagnosis.behindFailed(topic));
    } else if (topic.takesMessages()) {
      QueueLane lane = topic.lane(attempt);
      String resting = topic.rests.turnsAway(lane.queue.getBrokerName(), attempt.offeredNanos);
      if (resting == null) {
        lane.waiting.add(attempt);
        return lane;
      }
      afterwards.outcomes.add(attempt, Diagnosis.resting(resting));
    } else {
      topic.held.add(attempt);
      afterwards.lookUp |= topic.isUnknown();
    }
    return null;
  }

  private Topic topic(String name) {
    return topics.computeIfAbsent(name, this::topicNamed);
  }

  private Topic topicNamed(String name) {
    return new Topic(name, new Rests(config.sendTimeout().plus(Expiry.OVERDUE)));
  }

  // ---- answers

  /** False if a request was given up, so that its messages may have been handed over again. */
  boolean isUnderWay(Batch batch) {
    lock.lock();
    try {
      return batch.lane().isUnderWay(batch);
    } finally {
      lock.unlock();
    }
  }

  void stored(Batch batch, SendStatus status) {
    locked(
        afterwards -> {
          QueueLane lane = batch.lane();
          if (lane.ended(batch)) {
            Topic topic = topic(lane.queue.getTopic());
            topic.denied = false;
            SendResult result = diagnosis.stored(status, lane);
            if (result instanceof Unavailable unsure) {
              topic.rests.unsure(batch, unsure.reason(), time.nanoTime());
              fail(batch, result, afterwards);
            } else {
              topic.rests.sure(batch);
              lane.failedInARow = 0;
              if (status != SendStatus.SEND_OK) {
                afterwards.warnings.add(() -> warnings.lessSafe(batch, status));
              }
              batch.attempts().forEach(attempt -> afterwards.outcomes.add(attempt, result));
            }
            next(lane, afterwards);
          }
        });
  }

  void failed(Batch batch, Throwable error) {
    locked(
        afterwards -> {
          QueueLane lane = batch.lane();
          if (lane.ended(batch)) {
            Topic topic = topic(lane.queue.getTopic());
            topic.denied = Diagnosis.isDenied(error);
            SendResult result = diagnosis.of(error, batch);
            if (Diagnosis.isNoAnswer(error)) {
              unanswered(batch, (Unavailable) result, afterwards);
            } else if (result instanceof Unavailable unsure && Diagnosis.isCutOff(error)) {
              topic.rests.unsure(batch, unsure.reason(), time.nanoTime());
              fail(batch, result, afterwards);
            } else if (Diagnosis.isAnswer(error)) {
              topic.rests.sure(batch);
              failed(batch, result, afterwards);
            } else {
              topic.rests.unasked(batch, time.nanoTime());
              failed(batch, result, afterwards);
            }
            next(lane, afterwards);
          }
        });
  }

  private void failed(Batch batch, SendResult result, Afterwards afterwards) {
    QueueLane lane = batch.lane();
    if (result instanceof Unavailable) {
      fail(batch, result, afterwards);
    } else if (batch.attempts().size() > 1) {
      lane.isolate(batch); // the broker answered, and one of them may be to blame
    } else if (result instanceof Refused) {
      afterwards.outcomes.add(batch.attempts().get(0), result);
    } else if (++lane.failedInARow < FAILED_IN_A_ROW_MAX) {
      failAlone(batch.attempts().get(0), lane, result, afterwards);
    } else {
      fail(batch, result, afterwards); // it is the broker, not the messages
    }
  }

  private void unanswered(Batch batch, Unavailable result, Afterwards afterwards) {
    Topic topic = topic(batch.lane().queue.getTopic());
    topic.rests.unsure(batch, result.reason(), time.nanoTime());
    afterwards.warnings.add(() -> warnings.unanswered(batch));
    fail(batch, result, afterwards);
  }

  private void fail(Batch batch, SendResult result, Afterwards afterwards) {
    QueueLane lane = batch.lane();
    Topic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, batch.attempts(), result);
    afterwards.fail(topic, lane.takeWaiting(), Diagnosis.behindFailed(lane));
    afterwards.fail(topic, topic.takeHeld(), Diagnosis.behindFailed(lane));
  }

  /** With it only those of its key that would be stored before it. */
  private void failAlone(
      Attempt attempt, QueueLane lane, SendResult result, Afterwards afterwards) {
    Topic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, List.of(attempt), result);
    if (attempt.key() != null) {
      SendResult behind = Diagnosis.behindFailed(attempt);
      afterwards.fail(topic, attempt.takeThoseOfItsKey(lane.waiting), behind);
      afterwards.fail(topic, attempt.takeThoseOfItsKey(topic.held), behind);
    }
  }

  private void tooSlow(QueueLane lane, Afterwards afterwards) {
    Topic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, lane.takeWaiting(), diagnosis.waitedTooLong(lane));
    afterwards.fail(topic, topic.takeHeld(), diagnosis.waitedTooLong(lane));
  }

  private void next(QueueLane lane, Afterwards afterwards) {
    afterwards.pump(lane);
    Topic topic = topic(lane.queue.getTopic());
    if (!topic.changed.isEmpty()) {
      adopt(topic, afterwards);
    }
  }

  // ---- topics

  /** A topic that is to be looked up, and whether now: messages wait for it, or were denied. */
  record Wanted(String topic, boolean urgent) {}

  List<Wanted> topics() {
    lock.lock();
    try {
      return topics.values().stream()
          .map(topic -> new Wanted(topic.name, topic.isWanted()))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The name servers told the queues of a topic. Others than before are used when nothing is under
   * way; fewer only after a while, or never: those of a broker that starts again are missing
   * meanwhile.
   *
   * @param queues in the order of their brokers and numbers, at least one
   */
  void lookedUp(String name, List<MessageQueue> queues, long nowNanos) {
    locked(
        afterwards -> {
          Topic topic = topic(name);
          topic.absence.lookedUp(false, nowNanos);
          topic.gone = false;
          topic.denied = false;
          if (topic.queues().equals(queues)) {
            topic.fewer = false;
            topic.changed = List.of();
            sendHeld(topic, afterwards);
            return;
          }
          boolean fewer = !queues.containsAll(topic.queues());
          if (fewer && !topic.fewer) {
            topic.fewer = true;
            topic.fewerSinceNanos = nowNanos;
          }
          if (!fewer || topic.hasFewerFor(config.fewerQueuesAfter(), nowNanos)) {
            topic.changed = queues;
            adopt(topic, afterwards);
          }
        });
  }

  private void adopt(Topic topic, Afterwards afterwards) {
    if (topic.lanes.stream().allMatch(QueueLane::isIdle)) {
      topic.lanes = topic.changed.stream().map(queue -> new QueueLane(queue, config)).toList();
      topic.changed = List.of();
      topic.fewer = false;
      sendHeld(topic, afterwards);
    }
  }

  private void sendHeld(Topic topic, Afterwards afterwards) {
    long now = time.nanoTime();
    for (Attempt attempt : topic.takeHeld()) {
      QueueLane lane = topic.lane(attempt);
      String resting = topic.rests.turnsAway(lane.queue.getBrokerName(), now);
      if (resting == null) {
        lane.waiting.add(attempt);
      } else {
        afterwards.fail(topic, List.of(attempt), Diagnosis.resting(resting));
      }
    }
    topic.lanes.forEach(afterwards::pump);
  }

  /**
   * The name servers did not tell the queues of a topic.
   *
   * @param missing true if there are brokers, and none of them has it
   */
  void notLookedUp(String name, boolean missing, Throwable error, long nowNanos) {
    locked(
        afterwards -> {
          Topic topic = topic(name);
          topic.absence.lookedUp(missing, nowNanos);
          topic.gone = topic.denied && topic.absence.isMissingFor(config.missingAfter(), nowNanos);
          topic.forgetGone();
          if (!missing && topic.lanes.isEmpty()) {
            afterwards.fail(topic, topic.takeHeld(), diagnosis.notLookedUp(topic, error));
          }
        });
  }

  // ---- time

  /** Gives up what waited, or was without an answer, for too long. */
  void expire(long nowNanos, long overdueNanos) {
    locked(
        afterwards -> {
          for (Topic topic : topics.values()) {
            topic.forgetGone();
            expireHeld(topic, nowNanos, afterwards);
            for (QueueLane lane : topic.lanes) {
              expire(lane, nowNanos, overdueNanos, afterwards);
            }
          }
        });
  }

  private void expire(QueueLane lane, long nowNanos, long overdueNanos, Afterwards afterwards) {
    Batch batch = lane.underWay();
    if (batch != null && nowNanos - batch.sentNanos() > overdueNanos && lane.ended(batch)) {
      unanswered(batch, diagnosis.noAnswer(batch, null), afterwards);
      next(lane, afterwards);
    } else if (isOverdue(lane, nowNanos)) {
      tooSlow(lane, afterwards);
    }
  }

  private void expireHeld(Topic topic, long nowNanos, Afterwards afterwards) {
    if (topic.held.isEmpty() || !isOverdue(topic.held.getFirst(), nowNanos)) {
      return;
    }
    if (!topic.absence.isMissingFor(config.missingAfter(), nowNanos) || !topic.lanes.isEmpty()) {
      boolean seenMissing = topic.absence.isMissingFor(Duration.ZERO, nowNanos);
      afterwards.fail(
          topic,
          topic.takeHeld(),
          seenMissing ? diagnosis.nowhere(topic) : diagnosis.notLookedUp(topic, null));
      return;
    }
    while (!topic.held.isEmpty() && isOverdue(topic.held.getFirst(), nowNanos)) {
      Attempt attempt = topic.held.remove();
      afterwards.outcomes.add(attempt, diagnosis.missingTopic(attempt));
    }
  }

  private boolean isOverdue(QueueLane lane, long nowNanos) {
    return !lane.waiting.isEmpty() && isOverdue(lane.waiting.getFirst(), nowNanos);
  }

  private boolean isOverdue(Attempt attempt, long nowNanos) {
    return nowNanos - attempt.offeredNanos > config.holdMax().toNanos();
  }

  /** True if everything has its result. */
  boolean isIdle() {
    lock.lock();
    try {
      return ungiven.get() == 0 && topics.values().stream().allMatch(Topic::isIdle);
    } finally {
      lock.unlock();
    }
  }

  /** Ends it: all that has no result yet has this one, and all that comes later the other. */
  void close(SendResult missing, SendResult later) {
    locked(
        afterwards -> {
          closed = later;
          for (Topic topic : topics.values()) {
            topic.takeHeld().forEach(attempt -> afterwards.outcomes.add(attempt, missing));
            for (QueueLane lane : topic.lanes) {
              Batch batch = lane.underWay();
              lane.takeWaiting().forEach(attempt -> afterwards.outcomes.add(attempt, missing));
              if (batch != null && lane.ended(batch)) {
                batch.attempts().forEach(attempt -> afterwards.outcomes.add(attempt, missing));
              }
            }
          }
        });
  }
}
