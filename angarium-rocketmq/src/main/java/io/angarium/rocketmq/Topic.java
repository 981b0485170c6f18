package io.angarium.rocketmq;

import io.angarium.MessageId;
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
 * <p>A failure closes it for a moment: who hands over may not have seen the result yet, and must
 * not have a later message stored before the one that failed. Other keys may pass, and so may the
 * first that failed of a key: who hands it over again has seen all results of that key.
 */
final class Topic {
  final String name;
  final Rests rests;
  final Deque<Attempt> held = new ArrayDeque<>(0);

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

  private boolean missing;
  private long missingSinceNanos;

  /** Results of so many failures are being given; their keys are not open to everybody yet. */
  private int failing;

  /** In this call and those before, a key is open only from the first of it that failed. */
  private long closedThroughCall;

  /** The first of each key that failed and was not handed over again since. */
  private final Map<String, MessageId> failedFirst = new HashMap<>(0);

  private int turn;

  Topic(String name, Rests rests) {
    this.name = name;
    this.rests = rests;
  }

  /** True if a message must not go, for its caller may not know of a failure yet. */
  boolean isClosedTo(Attempt attempt) {
    String key = attempt.key();
    if (key == null) {
      return false;
    }
    if (failing == 0 && attempt.call > closedThroughCall) {
      failedFirst.clear();
      return false;
    }
    return failedFirst.containsKey(key) && !failedFirst.remove(key, attempt.message.id());
  }

  void failing() {
    failing++;
  }

  /** A message fails; those of a key in their order. */
  void fails(Attempt attempt) {
    String key = attempt.key();
    if (key != null) {
      failedFirst.putIfAbsent(key, attempt.message.id());
    }
  }

  /**
   * Results of a failure have been given.
   *
   * @param lastCall the call of {@code send} that began last; the next may not know of them either
   */
  void failed(long lastCall) {
    failing--;
    closedThroughCall = lastCall + 1;
  }

  /**
   * The name servers have been asked.
   *
   * @param isMissing true if they do not know it though some broker is there
   */
  void lookedUp(boolean isMissing, long nowNanos) {
    if (isMissing && !missing) {
      missingSinceNanos = nowNanos;
    }
    missing = isMissing;
  }

  /** True if it was missing whenever it was looked up, for so long. */
  boolean isMissingFor(Duration max, long nowNanos) {
    return missing && nowNanos - missingSinceNanos >= max.toNanos();
  }

  /** True if nothing would be lost by not knowing it any more. */
  boolean isForgettable(long lastCall) {
    return isIdle() && failing == 0 && closedThroughCall < lastCall;
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
  QueueLane lane(Attempt attempt) {
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

  List<Attempt> takeHeld() {
    List<Attempt> all = new ArrayList<>(held);
    held.clear();
    return all;
  }
}
