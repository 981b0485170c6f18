package io.angarium.testkit.alert;

import io.angarium.StoreException;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Silence;
import io.angarium.alert.Told;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Alerts in memory, for tests. Thread-safe. */
public final class InMemoryAlerts implements AlertStore, AlertDesk {
  private final InstantSource clock;
  private final Map<AlertKey, Alert> alerts = new HashMap<>();
  private final Map<String, Told> told = new LinkedHashMap<>();
  private final List<Silence> silences = new ArrayList<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private boolean auditBroken;
  private @Nullable String holder;
  private Instant leasedUntil = Instant.MIN;
  private long token;

  /** Creates alerts; there are none. */
  public InMemoryAlerts(InstantSource clock) {
    this.clock = clock;
  }

  /** What persons did, latest first. */
  public synchronized List<AuditEntry> audit() {
    List<AuditEntry> latest = new ArrayList<>(audit);
    Collections.reverse(latest);
    return latest;
  }

  /** Makes every act of a person fail, or no more. */
  public synchronized void breakAudit(boolean broken) {
    this.auditBroken = broken;
  }

  @Override
  public synchronized @Nullable Turn begin(String node, Duration lease) {
    Instant now = clock.instant();
    boolean live = now.isBefore(leasedUntil);
    if (live && !node.equals(holder)) {
      return null;
    }
    if (!live) {
      holder = node;
      token++;
    }
    leasedUntil = now.plus(lease);
    return new Turn(token, now);
  }

  @Override
  public synchronized void end(String node) {
    if (node.equals(holder)) {
      leasedUntil = clock.instant();
    }
  }

  @Override
  public synchronized List<Alert> alerts() {
    return alerts.values().stream().sorted(Alert.URGENT_FIRST).limit(ALERTS_MAX).toList();
  }

  @Override
  public synchronized boolean save(
      Turn turn, Collection<Alert> changed, Collection<AlertKey> deleted) {
    if (turn.token() != token || !clock.instant().isBefore(leasedUntil)) {
      return false;
    }
    for (AlertKey key : deleted) {
      alerts.remove(key);
      told.values().removeIf(each -> each.key().equals(key));
    }
    for (Alert alert : changed) {
      Alert before = alerts.get(alert.key());
      boolean on = alert.state() == AlertState.FIRING;
      alerts.put(alert.key(), with(alert, on && before != null ? before.taken() : null));
    }
    return true;
  }

  private static Alert with(Alert alert, Alert.@Nullable Taken taken) {
    return new Alert(
        alert.key(),
        alert.state(),
        alert.severity(),
        alert.value(),
        alert.text(),
        alert.episode(),
        alert.since(),
        alert.absentSince(),
        alert.resolvedAt(),
        taken);
  }

  @Override
  public synchronized List<Told> told() {
    return List.copyOf(told.values());
  }

  @Override
  public synchronized Known known() {
    return new Known(alerts(), told());
  }

  @Override
  public synchronized void note(Collection<Told> given) {
    for (Told each : given) {
      if (alerts.containsKey(each.key())) {
        told.put(
            each.channel() + ' ' + each.key(),
            new Told(
                each.key(),
                each.channel(),
                each.what(),
                each.episode(),
                each.severity(),
                each.failure() == null ? clock.instant() : each.at(),
                each.failure()));
      }
    }
  }

  @Override
  public synchronized List<Silence> silences() {
    Instant now = clock.instant();
    return silences.stream()
        .filter(silence -> silence.until().isAfter(now))
        .sorted(Comparator.comparing(Silence::until).thenComparing(Silence::id))
        .toList();
  }

  @Override
  public synchronized boolean take(AlertKey key, @Nullable String from, ActBy by) {
    Alert alert = alerts.get(key);
    if (alert == null || alert.state() != AlertState.FIRING) {
      return false;
    }
    Alert.Taken taken = alert.taken();
    if (!Objects.equals(taken == null ? null : taken.by(), from)) {
      return false;
    }
    note(Act.TAKE.entry(by, key.rule() + " " + key.subject()));
    String who = by.decision().by();
    alerts.put(key, with(alert, new Alert.Taken(who, clock.instant(), by.decision().reason())));
    return true;
  }

  @Override
  public synchronized Silence silence(String rule, String subject, Duration length, ActBy by) {
    Silence.check(rule, subject, length);
    note(Act.SILENCE.entry(by, rule + " " + subject));
    Instant now = clock.instant();
    Silence silence =
        new Silence(
            silences.size() + 1L,
            rule,
            subject,
            now,
            now.plus(length),
            by.decision().by(),
            by.decision().reason());
    silences.add(silence);
    return silence;
  }

  @Override
  public synchronized boolean lift(long id, ActBy by) {
    Silence found =
        silences().stream().filter(silence -> silence.id() == id).findFirst().orElse(null);
    if (found == null) {
      return false;
    }
    note(Act.LIFT.entry(by, Long.toString(id)));
    silences.set(
        silences.indexOf(found),
        new Silence(
            found.id(),
            found.rule(),
            found.subject(),
            found.from(),
            clock.instant(),
            found.by(),
            found.reason()));
    return true;
  }

  private void note(AuditEntry entry) {
    if (auditBroken) {
      throw new StoreException("the audit is broken", new IllegalStateException());
    }
    audit.add(entry);
  }
}
