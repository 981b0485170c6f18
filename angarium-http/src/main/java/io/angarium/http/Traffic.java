package io.angarium.http;

import io.angarium.http.HostQueue.Job;
import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.internal.client.HttpAttempt;
import io.angarium.http.internal.client.Target;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may start a request next: lanes take turns, none has more under way than its limit, and all
 * together no more than theirs. Remembers who asked for a pause. Not thread-safe: guarded by the
 * lock of {@link HttpTransport}.
 */
final class Traffic {
  /** So many pauses are remembered; those over are forgotten first. */
  static final int PAUSES_MAX = 10_000;

  private final Limits limits;
  private final Duration hold;
  private final Map<String, HostQueue> lanes = new HashMap<>();
  private final Deque<HostQueue> line = new ArrayDeque<>();
  private final Map<String, Pause> pauses = new HashMap<>();
  private int underWay;

  /** Until when nothing is sent to an address, and why. */
  private record Pause(long untilNanos, SendResult result) {}

  /** A message that waits no longer, and what became of it. */
  record Given(HttpAttempt attempt, SendResult result) {}

  Traffic(Limits limits, Duration hold) {
    this.limits = limits;
    this.hold = hold;
  }

  /** Lets a message wait for its turn; gives its result if it must not. */
  @Nullable SendResult offer(HttpAttempt attempt, Target target, long nowNanos) {
    SendResult paused = paused(target.address(), nowNanos);
    if (paused != null) {
      return paused;
    }
    HostQueue lane = lanes.computeIfAbsent(target.lane(), name -> new HostQueue());
    if (lane.waiting.size() >= limits.waiting()) {
      String reason = "%s takes messages more slowly than they come: %d wait for it already";
      return new Unavailable(reason.formatted(target.label(), limits.waiting()), null);
    }
    lane.waiting.addLast(new Job(attempt, target, lane));
    putInLine(lane);
    return null;
  }

  private @Nullable SendResult paused(String address, long nowNanos) {
    Pause pause = pauses.isEmpty() ? null : pauses.get(address);
    if (pause == null) {
      return null;
    }
    if (nowNanos - pause.untilNanos() >= 0) {
      pauses.remove(address);
      return null;
    }
    return pause.result();
  }

  private void putInLine(HostQueue lane) {
    if (!lane.inLine && lane.mayStart(limits.inFlightPerHook())) {
      lane.inLine = true;
      line.addLast(lane);
    }
  }

  /** The requests to be started now; each must be {@linkplain #ended ended} once. */
  List<Job> startable() {
    List<Job> jobs = new ArrayList<>();
    while (underWay < limits.inFlight() && !line.isEmpty()) {
      HostQueue lane = line.removeFirst();
      lane.inLine = false;
      if (lane.mayStart(limits.inFlightPerHook())) {
        jobs.add(lane.waiting.removeFirst());
        lane.underWay++;
        underWay++;
        putInLine(lane);
      }
    }
    return jobs;
  }

  /** A request is over. */
  void ended(HostQueue lane) {
    lane.underWay--;
    underWay--;
    putInLine(lane);
  }

  /**
   * An address is down: those that wait for it get the same result.
   *
   * @param pause how long it asked to be left alone; zero for not at all
   */
  void unavailable(Job job, SendResult result, Duration pause, long nowNanos, List<Given> given) {
    String address = job.target().address();
    if (!pause.isZero()) {
      forgetPauses(nowNanos);
      pauses.put(address, new Pause(nowNanos + pause.toNanos(), result));
    }
    Iterator<Job> waiting = job.lane().waiting.iterator();
    while (waiting.hasNext()) {
      Job next = waiting.next();
      if (next.target().address().equals(address)) {
        waiting.remove();
        given.add(new Given(next.attempt(), result));
      }
    }
  }

  private void forgetPauses(long nowNanos) {
    if (pauses.size() >= PAUSES_MAX) {
      pauses.values().removeIf(pause -> nowNanos - pause.untilNanos() >= 0);
    }
    if (pauses.size() >= PAUSES_MAX) {
      pauses.clear(); // they will ask again
    }
  }

  /** Gives up on those that have waited too long for their turn. */
  void expire(long nowNanos, List<Given> given) {
    for (HostQueue lane : lanes.values()) {
      Job oldest = lane.waiting.peekFirst();
      while (oldest != null && nowNanos - oldest.attempt().heldNanos() >= hold.toNanos()) {
        lane.waiting.removeFirst();
        given.add(new Given(oldest.attempt(), tooLate(oldest.target())));
        oldest = lane.waiting.peekFirst();
      }
    }
  }

  private SendResult tooLate(Target target) {
    String reason = "no request to %s was free for %s; perhaps it is slow, or others are";
    return new Unavailable(reason.formatted(target.label(), DurationText.of(hold)), null);
  }

  /** Forgets all that wait. */
  void clear() {
    lanes.values().forEach(lane -> lane.waiting.clear());
  }
}
