package io.angarium.half;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A place where producers are asked: what waits to be asked there, how many questions are under
 * way, and whether it can be reached. One that cannot is probed with one question of one key, after
 * growing pauses; then questions grow by doubling. One thread.
 */
final class Endpoint {
  /** How long one that was unreachable, and that nobody asks any more, is remembered. */
  private static final Duration KEPT = Duration.ofHours(1);

  private final String name;
  private final Asker asker;
  private final int questionsMax;
  private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();
  private int waitingKeys;
  private int underWay;
  private boolean probing;
  private int keys;
  private int failures;
  private long failingSinceNanos;
  private long probeAtNanos;
  private String reason = "";
  private boolean told;
  private int overflows;

  /** A check that another node takes over after a time. */
  private record Waiting(DueCheck check, long untilNanos) {}

  Endpoint(String name, Asker asker, int questionsMax) {
    this.name = name;
    this.asker = asker;
    this.questionsMax = questionsMax;
    this.keys = asker.keysMax();
  }

  String name() {
    return name;
  }

  Asker asker() {
    return asker;
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
    waitingKeys++;
  }

  int waitingKeys() {
    return waitingKeys;
  }

  /** For how long what is too much to wait here is to be put off: longer each time. */
  Duration overflow(CheckPauses pauses) {
    overflows++;
    return pauses.overflow(overflows);
  }

  /** True if little is lost by forgetting it. */
  boolean isIdle(long nowNanos) {
    return !isBusy() && (failures == 0 || nowNanos - probeAtNanos >= KEPT.toNanos());
  }

  boolean isBusy() {
    return waitingKeys > 0 || underWay > 0;
  }

  /** True if what waits has no permit before an answer or a pause is over. */
  boolean rests(long nowNanos) {
    return failures > 0 && (probing || underWay >= questionsMax || nowNanos - probeAtNanos < 0);
  }

  /** How long what waits is to be put off while it {@link #rests}. */
  Duration rest(long nowNanos, Duration least) {
    Duration left = Duration.ofNanos(Math.max(0, probeAtNanos - nowNanos));
    return left.compareTo(least) > 0 ? left : least;
  }

  /**
   * Takes the keys of the next question out of what waits.
   *
   * @return of one business; empty if nothing waits that may still be asked for, or there is no
   *     permit
   */
  List<DueCheck> next(long nowNanos) {
    if (waitingKeys == 0 || underWay >= questionsMax || rests(nowNanos)) {
      return List.of();
    }
    Map.Entry<String, Deque<Waiting>> first = waiting.entrySet().iterator().next();
    Deque<Waiting> ofBusiness = first.getValue();
    List<DueCheck> question = new ArrayList<>();
    while (!ofBusiness.isEmpty() && question.size() < keys) {
      Waiting taken = ofBusiness.remove();
      waitingKeys--;
      if (nowNanos - taken.untilNanos() < 0) {
        question.add(taken.check());
      }
    }
    waiting.remove(first.getKey());
    overflows = waitingKeys == 0 ? 0 : overflows;
    if (!ofBusiness.isEmpty()) {
      waiting.put(first.getKey(), ofBusiness); // behind the other businesses
    }
    if (!question.isEmpty()) {
      underWay++;
      probing = failures > 0;
    }
    return question;
  }

  /** Everything that waits, which then waits no more. */
  List<DueCheck> drain() {
    List<DueCheck> drained = new ArrayList<>();
    waiting.values().forEach(some -> some.forEach(one -> drained.add(one.check())));
    waiting.clear();
    waitingKeys = 0;
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
    boolean wasTold = told;
    told = false;
    failures = 0;
    probing = false;
    keys = Math.min(asker.keysMax(), keys * 2);
    return wasTold;
  }

  /** A question found nobody. */
  void unreachable(long nowNanos, CheckPauses pauses, String reason) {
    this.reason = reason;
    if (failures == 0) {
      failingSinceNanos = nowNanos;
    }
    if (failures == 0 || probing) {
      failures++;
      probeAtNanos = nowNanos + pauses.endpoint(failures).toNanos();
    }
    probing = false;
    keys = 1;
  }

  /** Why nobody was found the last time. */
  String reason() {
    return reason;
  }

  /** For how long nobody was found. */
  Duration failingFor(long nowNanos) {
    return failures == 0 ? Duration.ZERO : Duration.ofNanos(nowNanos - failingSinceNanos);
  }

  /** True if it was told of as unreachable, and has not answered since. */
  boolean isTold() {
    return told;
  }

  /**
   * True once, when it was unreachable for so long.
   *
   * @param alertAfter how long that is
   */
  boolean isToBeTold(long nowNanos, Duration alertAfter) {
    boolean now = !told && failures > 0 && failingFor(nowNanos).compareTo(alertAfter) >= 0;
    told |= now;
    return now;
  }
}
