package io.angarium.console;

import io.angarium.StoreException;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.Severity;
import io.angarium.alert.Silence;
import io.angarium.alert.Told;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.desk.ActBy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Alerts in memory, which note what is done in the audit of a desk. Thread-safe. */
final class FakeAlerts implements ConsoleAlerts, AlertDesk {
  final List<Alert> alerts = new CopyOnWriteArrayList<>();
  final List<Told> told = new CopyOnWriteArrayList<>();
  final List<Silence> silences = new CopyOnWriteArrayList<>();
  final List<String> tested = new CopyOnWriteArrayList<>();
  final AtomicInteger reads = new AtomicInteger();
  volatile boolean away;
  private final FakeDesk desk;

  FakeAlerts(FakeDesk desk) {
    this.desk = desk;
  }

  /** Adds an alert that has been on twice. */
  Alert add(String rule, String subject, AlertState state, Severity severity) {
    boolean over = state == AlertState.RESOLVED;
    Alert alert =
        new Alert(
            new AlertKey(rule, subject),
            state,
            severity,
            31,
            "Something is wrong with " + subject,
            2,
            FakeDesk.NOW.minusSeconds(600),
            over ? FakeDesk.NOW.minusSeconds(120) : null,
            over ? FakeDesk.NOW.minusSeconds(60) : null,
            null);
    alerts.add(alert);
    return alert;
  }

  void tell(Alert alert, String channel, Told.What what, long episode, String failure) {
    told.add(
        new Told(alert.key(), channel, what, episode, alert.severity(), FakeDesk.NOW, failure));
  }

  @Override
  public AlertDesk desk() {
    return this;
  }

  @Override
  public List<String> channels() {
    return List.of("dingtalk", "log");
  }

  @Override
  public Optional<String> test(String channel) {
    tested.add(channel);
    return channel.equals("log") ? Optional.empty() : Optional.of("HTTP 403");
  }

  @Override
  public List<Alert> alerts() {
    require();
    reads.incrementAndGet();
    return List.copyOf(alerts);
  }

  @Override
  public List<Told> told() {
    require();
    return List.copyOf(told);
  }

  @Override
  public List<Silence> silences() {
    require();
    return List.copyOf(silences);
  }

  @Override
  public boolean take(AlertKey key, @Nullable String from, ActBy by) {
    for (Alert alert : alerts) {
      if (alert.key().equals(key) && alert.state() == AlertState.FIRING && has(alert, from)) {
        Alert.Taken taken =
            new Alert.Taken(by.decision().by(), FakeDesk.NOW, by.decision().reason());
        alerts.set(
            alerts.indexOf(alert),
            new Alert(
                key,
                alert.state(),
                alert.severity(),
                alert.value(),
                alert.text(),
                alert.episode(),
                alert.since(),
                null,
                null,
                taken));
        desk.note(Act.TAKE.entry(by, key.rule() + " " + key.subject()));
        return true;
      }
    }
    return false;
  }

  @Override
  public Silence silence(String rule, String subject, Duration length, ActBy by) {
    Silence silence =
        new Silence(
            silences.size() + 1L,
            rule,
            subject,
            FakeDesk.NOW,
            FakeDesk.NOW.plus(length),
            by.decision().by(),
            by.decision().reason());
    silences.add(silence);
    desk.note(Act.SILENCE.entry(by, rule + " " + subject));
    return silence;
  }

  @Override
  public boolean lift(long silence, ActBy by) {
    boolean lifted = silences.removeIf(each -> each.id() == silence);
    if (lifted) {
      desk.note(Act.LIFT.entry(by, String.valueOf(silence)));
    }
    return lifted;
  }

  private static boolean has(Alert alert, @Nullable String somebody) {
    Alert.Taken taken = alert.taken();
    return Objects.equals(taken == null ? null : taken.by(), somebody);
  }

  private void require() {
    if (away) {
      throw new StoreException("the database is away", new IllegalStateException());
    }
  }
}
