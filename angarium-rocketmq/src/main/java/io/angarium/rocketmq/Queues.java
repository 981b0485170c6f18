package io.angarium.rocketmq;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.rocketmq.RocketCaller.Call;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.internal.DeferredResults;
import io.angarium.transport.internal.UngivenResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Holds every message between its handover and its result. A message is held back for its topic,
 * waits for its queue, or is in flight. Does no I/O except through the consumer that sends
 * requests. Thread-safe: one lock guards all of it, and results are given after its release.
 *
 * <p>When a request fails because of the broker, all messages that wait for the same queue fail
 * with it: a later message of a key must not be stored before an earlier one. When a message fails
 * by itself, only messages of its key fail with it.
 */
final class Queues {
  private static final int TOPICS_MAX = 10_000;

  /** If so many messages for a queue fail one after the other, they are not to blame. */
  private static final int FAILED_IN_A_ROW_MAX = 3;

  private final RocketConfig config;
  private final RocketDiagnosis diagnosis;
  private final TimeSource time;
  private final Warnings warnings;
  private final Consumer<Batch> requests;
  private final ReentrantLock lock = new ReentrantLock();

  private final UngivenResults<RocketAttempt> ungiven = new UngivenResults<>(RocketAttempt::give);
  private final Map<String, RocketTopic> topics = new HashMap<>();
  private @Nullable SendResult closed;

  /**
   * @param requests hands a request to the client; told of its end by {@link #stored} or {@link
   *     #failed}
   */
  Queues(
      RocketConfig config, RocketDiagnosis diagnosis, TimeSource time, Consumer<Batch> requests) {
    this.config = config;
    this.diagnosis = diagnosis;
    this.time = time;
    this.warnings = new Warnings(config, time);
    this.requests = requests;
  }

  /** What is to be done when the lock is released. Not thread-safe: one thread at a time. */
  private final class Afterwards {
    final DeferredResults<RocketAttempt> outcomes = ungiven.deferred();
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
    void fail(RocketTopic topic, Collection<RocketAttempt> attempts, SendResult result) {
      attempts.forEach(attempt -> close(topic, attempt));
      attempts.forEach(attempt -> outcomes.add(attempt, result));
    }

    private void close(RocketTopic topic, RocketAttempt attempt) {
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
  Call beginCall(RocketCaller caller, List<StoredMessage> messages) {
    boolean counts = messages.stream().anyMatch(message -> message.message().key() != null);
    lock.lock();
    try {
      return caller.call(counts);
    } finally {
      lock.unlock();
    }
  }

  /** Takes messages in; true if a topic must be looked up for them. */
  boolean offer(List<RocketAttempt> attempts) {
    return locked(
            afterwards -> {
              Set<QueueLane> touched = new LinkedHashSet<>();
              for (RocketAttempt attempt : attempts) {
                QueueLane lane = route(attempt, afterwards);
                if (lane != null) {
                  touched.add(lane);
                }
              }
              touched.forEach(afterwards::pump);
            })
        .lookUp;
  }

  private @Nullable QueueLane route(RocketAttempt attempt, Afterwards afterwards) {
    String name = attempt.address.topic();
    if (topics.size() >= TOPICS_MAX && !topics.containsKey(name)) {
      topics.values().removeIf(RocketTopic::isForgettable);
    }
    RocketTopic topic = topic(name);
    if (closed != null) {
      afterwards.outcomes.add(attempt, closed);
    } else if (topic.isClosedTo(attempt)) {
      // Given before the call returns, so the caller knows it before the next.
      afterwards.outcomes.add(attempt, RocketDiagnosis.behindFailed(topic));
    } else if (topic.takesMessages()) {
      QueueLane lane = topic.lane(attempt);
      String resting = topic.rests.turnsAway(lane.queue.getBrokerName(), attempt.offeredNanos);
      if (resting == null) {
        lane.waiting.add(attempt);
        return lane;
      }
      afterwards.outcomes.add(attempt, RocketDiagnosis.resting(resting));
    } else {
      topic.held.add(attempt);
      afterwards.lookUp |= topic.isUnknown();
    }
    return null;
  }

  private RocketTopic topic(String name) {
    return topics.computeIfAbsent(name, this::topicNamed);
  }

  private RocketTopic topicNamed(String name) {
    return new RocketTopic(name, new Rests(config.sendTimeout().plus(Expiry.OVERDUE)));
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
            RocketTopic topic = topic(lane.queue.getTopic());
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
            RocketTopic topic = topic(lane.queue.getTopic());
            topic.denied = RocketDiagnosis.isDenied(error);
            SendResult result = diagnosis.of(error, batch);
            if (RocketDiagnosis.isNoAnswer(error)) {
              unanswered(batch, (Unavailable) result, afterwards);
            } else if (result instanceof Unavailable unsure && RocketDiagnosis.isCutOff(error)) {
              topic.rests.unsure(batch, unsure.reason(), time.nanoTime());
              fail(batch, result, afterwards);
            } else if (RocketDiagnosis.isAnswer(error)) {
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
    RocketTopic topic = topic(batch.lane().queue.getTopic());
    topic.rests.unsure(batch, result.reason(), time.nanoTime());
    afterwards.warnings.add(() -> warnings.unanswered(batch));
    fail(batch, result, afterwards);
  }

  private void fail(Batch batch, SendResult result, Afterwards afterwards) {
    QueueLane lane = batch.lane();
    RocketTopic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, batch.attempts(), result);
    afterwards.fail(topic, lane.takeWaiting(), RocketDiagnosis.behindFailed(lane));
    afterwards.fail(topic, topic.takeHeld(), RocketDiagnosis.behindFailed(lane));
  }

  /** Fails a message, and with it only the messages of its key that would be stored before it. */
  private void failAlone(
      RocketAttempt attempt, QueueLane lane, SendResult result, Afterwards afterwards) {
    RocketTopic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, List.of(attempt), result);
    if (attempt.key() != null) {
      SendResult behind = RocketDiagnosis.behindFailed(attempt);
      afterwards.fail(topic, attempt.takeThoseOfItsKey(lane.waiting), behind);
      afterwards.fail(topic, attempt.takeThoseOfItsKey(topic.held), behind);
    }
  }

  private void tooSlow(QueueLane lane, Afterwards afterwards) {
    RocketTopic topic = topic(lane.queue.getTopic());
    afterwards.fail(topic, lane.takeWaiting(), diagnosis.waitedTooLong(lane));
    afterwards.fail(topic, topic.takeHeld(), diagnosis.waitedTooLong(lane));
  }

  private void next(QueueLane lane, Afterwards afterwards) {
    afterwards.pump(lane);
    RocketTopic topic = topic(lane.queue.getTopic());
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
   * Takes the queues of a topic, as the name servers report them. Changed queues are used once
   * nothing is in flight. A list that lacks queues is used only after a while, or never: the queues
   * of a broker that restarts are missing meanwhile.
   *
   * @param queues in the order of their brokers and numbers, at least one
   */
  void lookedUp(String name, List<MessageQueue> queues, long nowNanos) {
    locked(
        afterwards -> {
          RocketTopic topic = topic(name);
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

  private void adopt(RocketTopic topic, Afterwards afterwards) {
    if (topic.lanes.stream().allMatch(QueueLane::isIdle)) {
      topic.lanes = topic.changed.stream().map(queue -> new QueueLane(queue, config)).toList();
      topic.changed = List.of();
      topic.fewer = false;
      sendHeld(topic, afterwards);
    }
  }

  private void sendHeld(RocketTopic topic, Afterwards afterwards) {
    long now = time.nanoTime();
    for (RocketAttempt attempt : topic.takeHeld()) {
      QueueLane lane = topic.lane(attempt);
      String resting = topic.rests.turnsAway(lane.queue.getBrokerName(), now);
      if (resting == null) {
        lane.waiting.add(attempt);
      } else {
        afterwards.fail(topic, List.of(attempt), RocketDiagnosis.resting(resting));
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
          RocketTopic topic = topic(name);
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
          for (RocketTopic topic : topics.values()) {
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

  private void expireHeld(RocketTopic topic, long nowNanos, Afterwards afterwards) {
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
      RocketAttempt attempt = topic.held.remove();
      afterwards.outcomes.add(attempt, diagnosis.missingTopic(attempt));
    }
  }

  private boolean isOverdue(QueueLane lane, long nowNanos) {
    return !lane.waiting.isEmpty() && isOverdue(lane.waiting.getFirst(), nowNanos);
  }

  private boolean isOverdue(RocketAttempt attempt, long nowNanos) {
    return nowNanos - attempt.offeredNanos > config.holdMax().toNanos();
  }

  /** True if everything has its result. */
  boolean isIdle() {
    lock.lock();
    try {
      return ungiven.areNone() && topics.values().stream().allMatch(RocketTopic::isIdle);
    } finally {
      lock.unlock();
    }
  }

  /** Ends it: all that has no result yet has this one, and all that comes later the other. */
  void close(SendResult missing, SendResult later) {
    locked(
        afterwards -> {
          closed = later;
          for (RocketTopic topic : topics.values()) {
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
