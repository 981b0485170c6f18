package io.angarium.alert;

import io.angarium.alert.Told.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one channel is to be told now, and what is noted without telling it. One thread. */
final class DueNotices {
  /** Channels that never told an alert tell its end only within this time. */
  static final Duration NEWS = Duration.ofHours(1);

  /** What a round has read of what channels were told, and when. Immutable. */
  record Seen(List<Told> told, Instant now) {
    /** The channels that told something so lately. */
    Set<String> toldWithin(Duration time) {
      return told.stream()
          .filter(each -> each.what() == What.FIRING || each.what() == What.RESOLVED)
          .filter(each -> now.isBefore(each.at().plus(time)))
          .map(Told::channel)
          .collect(Collectors.toSet());
    }
  }

  private static boolean isNews(Alert alert, Instant now) {
    Instant resolved = alert.resolvedAt();
    return resolved != null && now.isBefore(resolved.plus(NEWS));
  }

  private static final Comparator<Notice> WORST_FIRST =
      Comparator.comparing((Notice notice) -> notice.alert().severity())
          .reversed()
          .thenComparing(notice -> notice.alert().since());

  private final AlertRoute route;
  private final List<Silence> silences;
  private final Function<AlertKey, Duration> repeat;
  private final Function<AlertKey, String> meaning;
  private final Instant now;
  private final Map<AlertKey, Told> told = new HashMap<>();
  private final List<Notice> due = new ArrayList<>();
  private final List<Told> silenced = new ArrayList<>();

  DueNotices(
      AlertRoute route,
      Seen seen,
      List<Silence> silences,
      Function<AlertKey, Duration> repeat,
      Function<AlertKey, String> meaning) {
    this.route = route;
    this.silences = silences;
    this.repeat = repeat;
    this.meaning = meaning;
    this.now = seen.now();
    seen.told().stream()
        .filter(each -> each.channel().equals(route.channel().name()))
        .forEach(each -> this.told.put(each.key(), each));
  }

  /** Looks at alerts, each at most once. */
  DueNotices of(List<Alert> alerts) {
    alerts.forEach(this::look);
    due.sort(
        Comparator.comparing(DueNotices::isReminder)
            .thenComparing(notice -> isReminder(notice) ? toldAt(notice) : Instant.MIN)
            .thenComparing(WORST_FIRST));
    return this;
  }

  private static boolean isReminder(Notice notice) {
    return notice.kind() == Notice.Kind.REMINDER;
  }

  private Instant toldAt(Notice notice) {
    Told last = told.get(notice.alert().key());
    return last == null ? Instant.MIN : last.at();
  }

  private void look(Alert alert) {
    Told last = told.get(alert.key());
    Notice.Kind kind = kind(alert, last);
    if (kind == null) {
      return;
    }
    if (silences.stream().anyMatch(silence -> silence.covers(alert.key(), now))) {
      if (last == null || last.episode() < alert.episode()) {
        silenced.add(note(alert, What.SILENCED, null));
      }
    } else {
      Told heard = heard(alert, last);
      Severity before = heard == null || heard.what() != What.FIRING ? null : heard.severity();
      due.add(new Notice(kind, alert, meaning.apply(alert.key()), before));
    }
  }

  private Notice.@Nullable Kind kind(Alert alert, @Nullable Told last) {
    return switch (alert.state()) {
      case PENDING -> null;
      case FIRING -> ofFiring(alert, heard(alert, last));
      case RESOLVED -> ofResolved(alert, heard(alert, last));
    };
  }

  /** What the channel was told, if it was of this time. */
  private static @Nullable Told heard(Alert alert, @Nullable Told last) {
    return last != null && last.what() != What.NOTHING && last.episode() == alert.episode()
        ? last
        : null;
  }

  private Notice.@Nullable Kind ofFiring(Alert alert, @Nullable Told last) {
    if (!route.wants(alert.key(), alert.severity())) {
      return null;
    }
    if (last == null || last.what() == What.SILENCED) {
      return Notice.Kind.FIRING;
    }
    if (last.severity().compareTo(alert.severity()) < 0) {
      return Notice.Kind.FIRING; // it has become worse
    }
    Duration renewal = route.channel().renewal();
    Duration pause = renewal == null ? repeat.apply(alert.key()) : renewal;
    boolean late = !now.isBefore(last.at().plus(pause));
    return late && (renewal != null || alert.taken() == null) ? Notice.Kind.REMINDER : null;
  }

  private Notice.@Nullable Kind ofResolved(Alert alert, @Nullable Told last) {
    if (last != null) {
      return last.what() == What.FIRING ? Notice.Kind.RESOLVED : null;
    }
    return alert.episode() > 0 && isNews(alert, now) && route.wants(alert.key(), alert.severity())
        ? Notice.Kind.RESOLVED
        : null;
  }

  /**
   * What the next message tells, worst first. News goes before reminders; the reminder whose last
   * one is longest ago goes first.
   */
  List<Notice> first() {
    return due.stream().limit(Notices.MAX).sorted(WORST_FIRST).toList();
  }

  /** How many are left for later. */
  int more() {
    return due.size() - first().size();
  }

  /** What is to be noted of alerts that are silenced. */
  List<Told> silenced() {
    return silenced;
  }

  /** What is to be noted of notices that were told. */
  List<Told> told(List<Notice> sent) {
    return sent.stream()
        .map(
            notice ->
                note(
                    notice.alert(),
                    notice.alert().state() == AlertState.FIRING ? What.FIRING : What.RESOLVED,
                    null))
        .toList();
  }

  /** What is to be noted of notices that could not be told: what was told before, and why. */
  List<Told> failed(List<Notice> unsent, String why) {
    return unsent.stream()
        .map(
            notice -> {
              Told last = told.get(notice.alert().key());
              return last == null
                  ? new Told(
                      notice.alert().key(),
                      route.channel().name(),
                      What.NOTHING,
                      0,
                      notice.alert().severity(),
                      now,
                      why)
                  : new Told(
                      last.key(),
                      last.channel(),
                      last.what(),
                      last.episode(),
                      last.severity(),
                      last.at(),
                      why);
            })
        .toList();
  }

  private Told note(Alert alert, What what, @Nullable String failure) {
    return new Told(
        alert.key(), route.channel().name(), what, alert.episode(), alert.severity(), now, failure);
  }
}
