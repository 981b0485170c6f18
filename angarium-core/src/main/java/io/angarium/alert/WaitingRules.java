package io.angarium.alert;

import io.angarium.alert.signal.Signals;
import io.angarium.desk.DestinationPause;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules about messages that wait, and about pauses, which hold them back. */
final class WaitingRules {
  private static final double SECONDS_WAITING = 60;
  private static final double GROWN_FROM = 1_000;
  private static final double SECONDS_PAUSED = Duration.ofHours(4).toSeconds();

  private WaitingRules() {}

  static List<AlertRule> all() {
    return List.of(
        StandardRules.rule(
            "oldest-waiting",
            "Committed messages are not sent in time. Look at circuits, nodes and the database.",
            Duration.ofMinutes(2),
            SECONDS_WAITING,
            WaitingRules::oldestWaiting),
        StandardRules.rule(
            "backlog-grows",
            "More messages wait than ten minutes ago: less is sent than committed. Look at circuits"
                + " and nodes, or start more of them.",
            Duration.ofMinutes(10),
            GROWN_FROM,
            new Growth()::look),
        StandardRules.rule(
            "paused-long",
            "A destination has been paused for hours. Resume it if its reason is over; messages wait"
                + " and are not lost.",
            Duration.ZERO,
            SECONDS_PAUSED,
            WaitingRules::paused),
        StandardRules.rule(
            "delayed-overdue",
            "Delayed messages are late: no relay runs or takes part, or the database refuses to"
                + " move them.",
            Duration.ofMinutes(1),
            1,
            WaitingRules::overdue));
  }

  private static List<Finding> oldestWaiting(Signals signals, double threshold) {
    @Nullable Instant oldest = signals.oldestUnpaused();
    if (oldest == null) {
      return List.of();
    }
    Duration age = Duration.between(oldest, signals.now());
    return StandardRules.from(
        age.toMillis() / 1e3,
        threshold,
        Severity.CRITICAL,
        "Messages waiting: %s, the oldest for %s"
            .formatted(
                StandardRules.shown(signals.overview().waiting()), StandardRules.whole(age)));
  }

  private static List<Finding> overdue(Signals signals, double threshold) {
    var overdue = signals.overview().overdue();
    return StandardRules.counted(
        overdue.count(),
        threshold,
        Severity.CRITICAL,
        "Delayed messages late by more than a minute: " + StandardRules.shown(overdue));
  }

  private static List<Finding> paused(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>();
    for (DestinationPause pause : signals.pauses()) {
      Duration age = Duration.between(pause.since(), signals.now());
      Duration left = Duration.between(signals.now(), pause.until());
      if (age.toSeconds() >= threshold) {
        String destinations = ShownAddress.of(pause.destinations());
        found.add(
            new Finding(
                destinations,
                Severity.WARNING,
                age.toSeconds(),
                "%s has been paused for %s; the pause ends in %s"
                    .formatted(destinations, StandardRules.whole(age), StandardRules.whole(left))));
      }
    }
    return found;
  }

  /**
   * Notices that more and more messages wait. Remembers what it saw, so that a node that begins to
   * look knows it after some minutes. One thread at a time.
   */
  static final class Growth {
    private static final Duration COMPARED = Duration.ofMinutes(10);
    private static final int SEEN_MAX = 100;

    private final List<Seen> seen = new ArrayList<>();

    private record Seen(Instant at, long waiting) {}

    /**
     * Finds it if more wait than ten minutes ago, and at least so many. While a destination is
     * paused, more wait as they should.
     */
    List<Finding> look(Signals signals, double threshold) {
      Instant now = signals.now();
      long waiting = signals.overview().waiting().count();
      Instant from = now.minus(COMPARED);
      while (seen.size() > SEEN_MAX || (seen.size() > 1 && !seen.get(1).at().isAfter(from))) {
        seen.remove(0);
      }
      boolean grown =
          signals.pauses().isEmpty()
              && waiting >= threshold
              && !seen.isEmpty()
              && !seen.get(0).at().isAfter(from)
              && (waiting > seen.get(0).waiting() || signals.overview().waiting().atLeast());
      long before = seen.isEmpty() ? 0 : seen.get(0).waiting();
      seen.add(new Seen(now, waiting));
      return grown
          ? List.of(
              Finding.ofOutbox(
                  Severity.WARNING,
                  (double) waiting,
                  "Messages waiting: %s, ten minutes ago: %d"
                      .formatted(StandardRules.shown(signals.overview().waiting()), before)))
          : List.of();
    }
  }
}
