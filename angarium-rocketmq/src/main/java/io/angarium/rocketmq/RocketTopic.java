package io.angarium.rocketmq;

import io.angarium.transport.Absence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * A topic, its queues, and the messages held back until these are known. Guarded by the lock of
 * {@link Queues}.
 *
 * <p>A failure closes it for a moment to the caller whose message failed, see {@link Gate}.
 */
final class RocketTopic {
  final String name;
  final Rests rests;
  final Deque<RocketAttempt> held = new ArrayDeque<>(0);

  /** Empty until they are known. */
  List<QueueLane> lanes = List.of();

  /** Queues that differ from the ones of the lanes, in use as soon as nothing is under way. */
  List<MessageQueue> changed = List.of();

  /** Since when the name servers tell of fewer queues than there are lanes. */
  long fewerSinceNanos;

  boolean fewer;

  /** A broker answered that it has no such topic: it is not for want of a broker. */
  boolean denied;

  /** It has been denied and missing for so long that its queues take nothing more. */
  boolean gone;

  /** For how long the name servers have not known it though some broker is there. */
  final Absence absence = new Absence();

  /** One for each caller that had a message fail lately. */
  private final Map<RocketCaller, Gate> gates = new HashMap<>(0);

  private int turn;

  RocketTopic(String name, Rests rests) {
    this.name = name;
    this.rests = rests;
  }

  /** True if a message must not go, for its caller may not know of a failure yet. */
  boolean isClosedTo(RocketAttempt attempt) {
    String key = attempt.key();
    Gate gate = key == null || gates.isEmpty() ? null : gates.get(attempt.call.caller());
    if (key == null || gate == null) {
      return false;
    }
    if (gate.isOpenTo(attempt)) {
      gates.remove(attempt.call.caller());
      return false;
    }
    return gate.blocks(key, attempt.message.id());
  }

  /** What is closed to a caller since its last failure. */
  Gate gate(RocketCaller caller) {
    return gates.computeIfAbsent(caller, Gate::new);
  }

  /** True if nothing would be lost by not knowing it any more. */
  boolean isForgettable() {
    return isIdle() && gates.values().stream().allMatch(Gate::isForgettable);
  }

  /**
   * True if it has had fewer queues for so long that they are to be used.
   *
   * @param after zero for never
   */
  boolean hasFewerFor(Duration after, long nowNanos) {
    return !after.isZero() && nowNanos - fewerSinceNanos >= after.toNanos();
  }

  boolean takesMessages() {
    return !lanes.isEmpty() && changed.isEmpty() && !gone;
  }

  /** True if messages must wait until it is looked up. */
  boolean isUnknown() {
    return lanes.isEmpty() || gone;
  }

  /** True if it should be looked up now. */
  boolean isWanted() {
    return denied || (!held.isEmpty() && isUnknown());
  }

  /** Forgets the queues of a topic that is gone, as soon as nothing is under way. */
  void forgetGone() {
    if (gone && lanes.stream().allMatch(QueueLane::isIdle)) {
      lanes = List.of();
      changed = List.of();
      fewer = false;
      gone = false;
      denied = false;
    }
  }

  /** Messages of a key go to the same queue for as long as the queues are the same. */
  QueueLane lane(RocketAttempt attempt) {
    String key = attempt.key();
    int number = key == null ? turn++ : key.hashCode();
    return lanes.get(Math.floorMod(number, lanes.size()));
  }

  boolean isIdle() {
    return held.isEmpty() && lanes.stream().allMatch(QueueLane::isIdle);
  }

  List<MessageQueue> queues() {
    return lanes.stream().map(lane -> lane.queue).toList();
  }

  List<RocketAttempt> takeHeld() {
    List<RocketAttempt> all = new ArrayList<>(held);
    held.clear();
    return all;
  }
}
