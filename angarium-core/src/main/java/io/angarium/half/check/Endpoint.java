package io.angarium.half.check;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A place where producers are asked: what waits to be asked there, how many questions are under
 * way, and whether it can be reached. One that cannot is probed with one question of one key, after
 * growing pauses; then questions grow by doubling. One thread.
 */
final class Endpoint {
  /** The most keys in memory that wait for one endpoint. */
  static final int WAITING_MAX = 500;

  private final String name;
  private final Asker asker;
  private final Origin origin;
  private final int questionsMax;
  private final Outage outage = new Outage();
  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();
  private int waitingKeys;
  private int underWay;
  private int keys;

  /** A check that another node takes over after a time. */
  private record Waiting(DueCheck check, long untilNanos) {}

  Endpoint(String name, Asker asker, Origin origin, int questionsMax) {
    this.name = name;
    this.asker = asker;
    this.origin = origin;
    this.questionsMax = questionsMax;
    this.keys = asker.keysMax();
  }

  String name() {
    return name;
  }

  Asker asker() {
    return asker;
  }

  /** What answers there, and at other endpoints perhaps. */
  Origin origin() {
    return origin;
  }

  Outage outage() {
    return outage;
  }

  /**
   * Has a key asked for as soon as there is a permit.
   *
   * @param untilNanos when it must not be asked for any more
   */
  void add(DueCheck check, long untilNanos) {
    waiting
        .computeIfAbsent(check.key().business(), b -> new ArrayDeque<>())
        .add(new Waiting(check, untilNanos));
    waits(1);
  }

  int waitingKeys() {
    return waitingKeys;
  }

  private void waits(int more) {
    waitingKeys += more;
    origin.waits(more);
  }

  /** True if no more may wait here. */
  boolean isFull() {
    return waitingKeys >= WAITING_MAX || origin.isFull();
  }

  /** True if little is lost by forgetting it. */
  boolean isIdle(long nowNanos) {
    return !isBusy() && outage.isIdle(nowNanos);
  }

  boolean isBusy() {
    return waitingKeys > 0 || underWay > 0;
  }

  /** True if what waits has no permit before an answer or a pause is over. */
  boolean rests(long nowNanos) {
    boolean alone = outage.isOn() && (outage.pauses(nowNanos) || underWay >= questionsMax);
    return alone || origin.rests(nowNanos);
  }

  /** How long what waits is to be put off while it {@link #rests}. */
  Duration rest(long nowNanos, Duration least) {
    return Stream.of(least, outage.left(nowNanos), origin.outage().left(nowNanos))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /**
   * Takes the keys of the next question out of what waits.
   *
   * @return of one business; empty if nothing waits that may still be asked for, or there is no
   *     permit
   */
  List<DueCheck> next(long nowNanos) {
    boolean hasPlace = underWay < questionsMax && origin.hasPlace();
    if (waitingKeys == 0 || !hasPlace || rests(nowNanos)) {
      return List.of();
    }
    int keysMax = origin.outage().isOn() ? 1 : keys;
    Map.Entry<String, Deque<Waiting>> first = waiting.entrySet().iterator().next();
    Deque<Waiting> ofBusiness = first.getValue();
    List<DueCheck> question = new ArrayList<>();
    while (!ofBusiness.isEmpty() && question.size() < keysMax) {
      Waiting taken = ofBusiness.remove();
      waits(-1);
      if (nowNanos - taken.untilNanos() < 0) {
        question.add(taken.check());
      }
    }
    waiting.remove(first.getKey());
    if (!ofBusiness.isEmpty()) {
      waiting.put(first.getKey(), ofBusiness); // behind the other businesses
    }
    if (!question.isEmpty()) {
      underWay++;
      outage.asked();
      origin.asked();
    }
    return question;
  }

  /** Lets go of what another node takes over. */
  void expire(long nowNanos) {
    for (Deque<Waiting> ofBusiness : waiting.values()) {
      while (!ofBusiness.isEmpty() && nowNanos - ofBusiness.peek().untilNanos() >= 0) {
        ofBusiness.remove();
        waits(-1);
      }
    }
    waiting.values().removeIf(Deque::isEmpty);
  }

  /** Everything that waits, which then waits no more. */
  List<DueCheck> drain() {
    List<DueCheck> drained = new ArrayList<>();
    waiting.values().forEach(some -> some.forEach(one -> drained.add(one.check())));
    waiting.clear();
    waits(-waitingKeys);
    return drained;
  }

  /** A question has ended, with an answer or without. */
  void ended() {
    underWay--;
  }

  /**
   * It answered for one key at least.
   *
   * @return true if it was told of as unreachable
   */
  boolean reached() {
    keys = Math.min(asker.keysMax(), keys * 2);
    return outage.end();
  }

  /** A question found nobody. */
  void unreachable(long nowNanos, CheckPauses pauses, String reason) {
    outage.add(nowNanos, pauses, reason);
    keys = 1;
  }
}
