package io.angarium.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a round of looking changes: alerts to be written and alerts to be deleted. Nothing is told
 * at once that may be a moment's trouble, and nothing counts as over at once that may come again.
 * One thread.
 */
final class AlertChanges {
  /** Nothing counts as over sooner. */
  static final Duration ABSENT_MIN = Duration.ofMinutes(1);

  /** So long what is over is kept. */
  static final Duration KEPT = Duration.ofDays(30);

  private final Instant now;
  private final Map<AlertKey, Alert> known = new LinkedHashMap<>();
  private final Map<AlertKey, Alert> changed = new LinkedHashMap<>();
  private final Set<AlertKey> deleted = new LinkedHashSet<>();
  private int added;

  AlertChanges(List<Alert> known, Instant now) {
    known.forEach(alert -> this.known.put(alert.key(), alert));
    this.now = now;
  }

  /**
   * Compares what a rule finds with what is known of it.
   *
   * @param hold how long something is found until it is on
   */
  void look(String rule, Duration hold, List<Finding> findings) {
    Map<AlertKey, Finding> found = new LinkedHashMap<>();
    findings.forEach(finding -> found.put(new AlertKey(rule, finding.subject()), finding));
    known.values().stream()
        .filter(alert -> alert.key().rule().equals(rule) && !found.containsKey(alert.key()))
        .forEach(alert -> absent(alert, hold));
    found.forEach((key, finding) -> present(key, known.get(key), finding, hold));
  }

  private void present(AlertKey key, @Nullable Alert before, Finding finding, Duration hold) {
    boolean gone = deleted.contains(key);
    if ((before == null || gone) && !hasRoom()) {
      return; // what is there is enough to be worried
    }
    if (gone) {
      deleted.remove(key);
      added--; // it was counted among those that are known
    }
    Alert after = found(key, before, finding, hold);
    if (!after.equals(before)) {
      changed.put(key, after);
    }
  }

  /** Whether there is room for one more, if need be in the place of what was over first. */
  private boolean hasRoom() {
    if (known.size() + added - deleted.size() >= AlertStore.ALERTS_MAX) {
      Optional<AlertKey> first =
          known.values().stream()
              .filter(alert -> alert.state() == AlertState.RESOLVED)
              .map(Alert::key)
              .filter(key -> !changed.containsKey(key) && !deleted.contains(key))
              .min(Comparator.comparing(this::resolvedAt));
      if (first.isEmpty()) {
        return false;
      }
      deleted.add(first.get());
    }
    added++;
    return true;
  }

  private Instant resolvedAt(AlertKey key) {
    Alert alert = known.get(key);
    Instant at = alert == null ? null : alert.resolvedAt();
    return at == null ? Instant.MIN : at;
  }

  private Alert found(AlertKey key, @Nullable Alert before, Finding finding, Duration hold) {
    Alert lasting = before == null || before.state() == AlertState.RESOLVED ? null : before;
    Instant since = lasting == null ? now : lasting.since();
    long episode = before == null ? 0 : before.episode();
    boolean on = lasting != null && lasting.state() == AlertState.FIRING;
    boolean begins = !on && !now.isBefore(since.plus(hold));
    return new Alert(
        key,
        on || begins ? AlertState.FIRING : AlertState.PENDING,
        finding.severity(),
        finding.value(),
        finding.text(),
        begins ? episode + 1 : episode,
        since,
        null,
        null,
        lasting == null ? null : lasting.taken());
  }

  private void absent(Alert alert, Duration hold) {
    switch (alert.state()) {
      case PENDING -> {
        if (alert.episode() == 0) {
          deleted.add(alert.key());
        } else {
          changed.put(alert.key(), over(alert));
        }
      }
      case FIRING -> {
        Instant since = alert.absentSince();
        Duration wait = hold.compareTo(ABSENT_MIN) > 0 ? hold : ABSENT_MIN;
        if (since == null) {
          changed.put(alert.key(), with(alert, AlertState.FIRING, now, null));
        } else if (!now.isBefore(since.plus(wait))) {
          changed.put(alert.key(), over(alert));
        }
      }
      case RESOLVED -> {
        Instant resolved = alert.resolvedAt();
        if (resolved != null && now.isAfter(resolved.plus(KEPT))) {
          deleted.add(alert.key());
        }
      }
    }
  }

  private Alert over(Alert alert) {
    Instant absent = alert.absentSince();
    return with(alert, AlertState.RESOLVED, absent == null ? now : absent, now);
  }

  private static Alert with(
      Alert alert, AlertState state, @Nullable Instant absentSince, @Nullable Instant resolvedAt) {
    return new Alert(
        alert.key(),
        state,
        alert.severity(),
        alert.value(),
        alert.text(),
        alert.episode(),
        alert.since(),
        absentSince,
        resolvedAt,
        state == AlertState.RESOLVED ? null : alert.taken());
  }

  List<Alert> changed() {
    return List.copyOf(changed.values());
  }

  List<AlertKey> deleted() {
    return List.copyOf(deleted);
  }

  /** All alerts as they are afterwards. */
  List<Alert> after() {
    Map<AlertKey, Alert> after = new LinkedHashMap<>(known);
    after.putAll(changed);
    deleted.forEach(after::remove);
    return List.copyOf(after.values());
  }
}
