package io.angarium.half.check;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * What answers at several endpoints, as a rule the process behind a host and port. All of them
 * together have as many questions under way as one may have, as producers make the addresses and
 * can make one for each message. If several of them in a row say nothing at all for a time, it is
 * rested and probed as a whole; a fault that is told at once closes the endpoint only. One thread.
 */
final class Origin {
  /** What comes sooner is an answer of some kind: it took nobody's place. */
  static final Duration SILENT_AFTER = Duration.ofSeconds(1);

  /** So many endpoints without a word, and none with one in between, are the fault of all. */
  static final int SILENT_ENDPOINTS = 4;

  /** Keys that wait for it. */
  static final int WAITING_MAX = 1_000;

  private final String name;
  private final int questionsMax;
  private final Outage outage = new Outage();
  private final Set<Endpoint> silent = new HashSet<>();
  private int endpoints;
  private int waitingKeys;
  private int awaited;
  private int overflows;
  private long overflowNanos;

  Origin(String name, int questionsMax) {
    this.name = name;
    this.questionsMax = questionsMax;
  }

  String name() {
    return name;
  }

  Outage outage() {
    return outage;
  }

  /** One more or less of its endpoints is known. */
  void known(int more) {
    endpoints += more;
  }

  /** So many keys more or less wait at one of them. */
  void waits(int more) {
    waitingKeys += more;
  }

  boolean isFull() {
    return waitingKeys >= WAITING_MAX;
  }

  /**
   * For how long what is too much to wait is to be put off: longer each time that it still is after
   * such a pause, and nothing was answered.
   */
  Duration overflow(long nowNanos, CheckPauses pauses) {
    if (overflows == 0 || nowNanos - overflowNanos >= pauses.overflow(overflows).toNanos()) {
      overflows++;
      overflowNanos = nowNanos;
    }
    return pauses.overflow(overflows);
  }

  boolean hasPlace() {
    return awaited < questionsMax;
  }

  /** True if what waits has no permit before an answer or a pause is over. */
  boolean rests(long nowNanos) {
    return outage.isOn() && (outage.pauses(nowNanos) || !hasPlace());
  }

  void asked() {
    awaited++;
    outage.asked();
  }

  /** A question was answered, or is waited for no more. */
  void settled() {
    awaited--;
  }

  /** Something came back at once, perhaps from on the way only: it need not be rested. */
  void spoke() {
    silent.clear();
    if (outage.isOn()) {
      outage.lift();
    }
  }

  /**
   * A producer answered.
   *
   * @return true if the origin was told of as unreachable
   */
  boolean reached() {
    overflows = 0;
    silent.clear();
    return outage.end();
  }

  /** Nothing came back for a time. */
  void silent(Endpoint endpoint, long nowNanos, CheckPauses pauses, String reason) {
    if (!outage.isOn()) {
      silent.add(endpoint);
    }
    if (silent.size() >= SILENT_ENDPOINTS) {
      outage.add(nowNanos, pauses, reason);
    }
  }

  /** True if little is lost by forgetting it. */
  boolean isIdle(long nowNanos) {
    return endpoints == 0 && outage.isIdle(nowNanos);
  }
}
