package io.angarium.console.internal.calls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.Severity;
import io.angarium.alert.Silence;
import io.angarium.alert.Told;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.internal.OneLine;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Alerts, who takes care of them, silences, and tests of channels. Thread-safe. */
public final class AlertCalls {
  private static final long MINUTES_MAX = Silence.MAX.toMinutes();

  private final Permits permits;

  public AlertCalls(Permits permits) {
    this.permits = permits;
  }

  /** Which alert to take, and who has it so far, if anybody. Immutable. */
  record TakeRequest(
      @Nullable String rule,
      @Nullable String subject,
      @Nullable String from,
      @Nullable String reason) {}

  /** Which alerts to silence, and for how long. Immutable. */
  record SilenceRequest(
      @Nullable String rule,
      @Nullable String subject,
      @Nullable Integer minutes,
      @Nullable String reason) {}

  /** Which silence to end. Immutable. */
  record LiftRequest(@Nullable String id, @Nullable String reason) {}

  /** Which channel to test. Immutable. */
  record TestRequest(@Nullable String channel, @Nullable String reason) {}

  /** What a channel was told of an alert this time; {@code at} is null if it was told nothing. */
  record ToldBy(String channel, Told.What what, @Nullable Instant at, @Nullable String failure) {
    /** Returns null if the channel knows only what was before this time. */
    static @Nullable ToldBy of(Told told, Alert alert) {
      boolean heard = told.what() != Told.What.NOTHING && told.episode() == alert.episode();
      if (!heard && told.failure() == null) {
        return null;
      }
      return new ToldBy(
          told.channel(),
          heard ? told.what() : Told.What.NOTHING,
          heard ? told.at() : null,
          told.failure());
    }
  }

  /** An alert. Immutable. */
  record Shown(
      String rule,
      String subject,
      AlertState state,
      Severity severity,
      double value,
      String text,
      Instant since,
      @Nullable Instant absentSince,
      @Nullable Instant resolvedAt,
      Alert.@Nullable Taken taken,
      List<ToldBy> told,
      @Nullable Instant silencedUntil) {}

  /** A silence. Immutable. */
  record ShownSilence(
      String id,
      String rule,
      String subject,
      Instant from,
      Instant until,
      String by,
      String reason) {
    static ShownSilence of(Silence silence) {
      return new ShownSilence(
          String.valueOf(silence.id()),
          silence.rule(),
          ShownAddress.of(silence.subject()),
          silence.from(),
          silence.until(),
          silence.by(),
          silence.reason());
    }
  }

  /** Numbers of alerts; those that are taken or silenced are firing as well. Immutable. */
  record Counts(long firing, long taken, long silenced, long pending, long resolved) {
    static Counts of(List<Shown> alerts) {
      List<Shown> firing =
          alerts.stream().filter(each -> each.state() == AlertState.FIRING).toList();
      return new Counts(
          firing.size(),
          firing.stream().filter(each -> each.taken() != null).count(),
          firing.stream().filter(each -> each.silencedUntil() != null).count(),
          alerts.stream().filter(each -> each.state() == AlertState.PENDING).count(),
          alerts.stream().filter(each -> each.state() == AlertState.RESOLVED).count());
    }
  }

  /** All alerts and silences that an operator may see, and the channels. Immutable. */
  record Alerts(
      List<Shown> alerts, List<ShownSilence> silences, List<String> channels, Counts counts) {}

  /** An alert that was taken. Immutable. */
  record Taken(String rule, String subject) {}

  /** A silence that was ended. Immutable. */
  record Lifted(String id) {}

  /** Whether a channel took a test notice, and why it did not. Immutable. */
  record Tested(String channel, boolean told, @Nullable String failure) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/alerts",
            Right.VIEW,
            "Lists alerts, what channels were told of them, and silences",
            Alerts.class,
            List.of(),
            this::alerts),
        ApiRoute.act(
            "POST",
            "{db}/alerts/take",
            Right.OPERATE,
            "Takes care of an alert that is firing: nobody is reminded of it any more",
            TakeRequest.class,
            Taken.class,
            this::take),
        ApiRoute.act(
            "POST",
            "{db}/alerts/silences",
            Right.OPERATE,
            "Silences alerts for a while: no channel is told of them",
            SilenceRequest.class,
            ShownSilence.class,
            this::silence),
        ApiRoute.act(
            "POST",
            "{db}/alerts/silences/lift",
            Right.OPERATE,
            "Ends a silence",
            LiftRequest.class,
            Lifted.class,
            this::lift),
        ApiRoute.act(
            "POST",
            "{db}/alerts/test",
            Right.ADMIN,
            "Sends a test notice by one channel",
            TestRequest.class,
            Tested.class,
            this::test));
  }

  private static ConsoleAlerts of(Call call) {
    ConsoleAlerts alerts = call.database().alerts();
    if (alerts == null) {
      throw Problem.unknown("database '" + call.database().name() + "' has no alerts");
    }
    return alerts;
  }

  private Answer alerts(Call call) {
    ConsoleAlerts alerts = of(call);
    return Answer.of(permits.ask(() -> read(call, alerts)));
  }

  private static Alerts read(Call call, ConsoleAlerts alerts) {
    AlertDesk desk = alerts.desk();
    Map<AlertKey, List<Told>> told = desk.told().stream().collect(Collectors.groupingBy(Told::key));
    List<Silence> silences = desk.silences();
    List<Shown> shown =
        desk.alerts().stream()
            .filter(each -> may(call, Right.VIEW, each.key().subject()))
            .map(each -> shown(each, told.getOrDefault(each.key(), List.of()), silences))
            .toList();
    return new Alerts(
        shown,
        silences.stream()
            .filter(each -> may(call, Right.VIEW, each.subject()))
            .map(ShownSilence::of)
            .toList(),
        alerts.channels(),
        Counts.of(shown));
  }

  private static boolean may(Call call, Right right, String subject) {
    return AlertScope.covers(call.operator(), right, subject);
  }

  private static Shown shown(Alert alert, List<Told> told, List<Silence> silences) {
    String subject = ShownAddress.of(alert.key().subject());
    return new Shown(
        alert.key().rule(),
        subject,
        alert.state(),
        alert.severity(),
        alert.value(),
        alert.text().replace(alert.key().subject(), subject),
        alert.since(),
        alert.absentSince(),
        alert.resolvedAt(),
        alert.taken(),
        told.stream()
            .sorted(Comparator.comparing(Told::channel))
            .map(each -> ToldBy.of(each, alert))
            .filter(Objects::nonNull)
            .toList(),
        silencedUntil(alert.key(), silences));
  }

  /** Silences begin at once, so that each one that has not ended is in force. */
  private static @Nullable Instant silencedUntil(AlertKey key, List<Silence> silences) {
    return silences.stream()
        .filter(each -> each.covers(key, each.from()))
        .map(Silence::until)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private Answer take(Call call) {
    AlertDesk desk = of(call).desk();
    TakeRequest given = call.body(TakeRequest.class);
    String rule = required("rule", given.rule(), AlertKey.RULE_LENGTH_MAX);
    String subject = required("subject", given.subject(), AlertKey.SUBJECT_LENGTH_MAX);
    ActBy by = call.actBy(given.reason(), null);
    AlertKey key =
        permits
            .ask(() -> find(desk.alerts(), rule, subject))
            .filter(each -> may(call, Right.OPERATE, each.subject()))
            .orElseThrow(() -> Problem.unknown("no alert has this rule and subject"));
    if (!permits.ask(() -> desk.take(key, given.from(), by))) {
      throw Problem.conflict(permits.ask(() -> untaken(desk.alerts(), key)));
    }
    return Answer.of(new Taken(key.rule(), ShownAddress.of(key.subject())));
  }

  private static String untaken(List<Alert> alerts, AlertKey key) {
    return alerts.stream()
        .filter(each -> each.key().equals(key) && each.state() == AlertState.FIRING)
        .map(Alert::taken)
        .filter(Objects::nonNull)
        .map(taken -> taken.by() + " has taken the alert meanwhile")
        .findFirst()
        .orElse("the alert is not firing any more; there is nothing to take");
  }

  /** Finds the key of an alert, also by the subject as {@link #shown} gives it. */
  private static Optional<AlertKey> find(List<Alert> alerts, String rule, String subject) {
    List<AlertKey> ofRule =
        alerts.stream().map(Alert::key).filter(key -> key.rule().equals(rule)).toList();
    return ofRule.stream()
        .filter(key -> key.subject().equals(subject))
        .findFirst()
        .or(
            () ->
                ofRule.stream()
                    .filter(key -> ShownAddress.of(key.subject()).equals(subject))
                    .findFirst());
  }

  private static String required(String name, @Nullable String text, int lengthMax) {
    if (text == null || text.isBlank() || text.length() > lengthMax) {
      throw Problem.invalid(
          "%s: %s characters (expected: 1..%d)"
              .formatted(name, text == null ? "no" : text.length(), lengthMax));
    }
    if (!OneLine.of(text).equals(text) || !UTF_8.newEncoder().canEncode(text)) {
      throw Problem.invalid(name + ": a character that no line has (expected: visible characters)");
    }
    return text;
  }

  private Answer silence(Call call) {
    AlertDesk desk = of(call).desk();
    SilenceRequest given = call.body(SilenceRequest.class);
    String rule = required("rule", given.rule(), AlertKey.RULE_LENGTH_MAX);
    String asked = required("subject", given.subject(), AlertKey.SUBJECT_LENGTH_MAX);
    Integer minutes = given.minutes();
    if (minutes == null || minutes < 1 || minutes > MINUTES_MAX) {
      throw Problem.invalid("minutes: %s (expected: 1..%d)".formatted(minutes, MINUTES_MAX));
    }
    ActBy by = call.actBy(given.reason(), null);
    String subject =
        permits.ask(() -> find(desk.alerts(), rule, asked)).map(AlertKey::subject).orElse(asked);
    if (!may(call, Right.OPERATE, subject)) {
      throw Problem.unknown("no alert has this rule and subject");
    }
    try {
      Silence begun =
          permits.ask(() -> desk.silence(rule, subject, Duration.ofMinutes(minutes), by));
      return Answer.of(ShownSilence.of(begun));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private Answer lift(Call call) {
    AlertDesk desk = of(call).desk();
    LiftRequest given = call.body(LiftRequest.class);
    String id = given.id();
    if (id == null || !id.matches("\\d{1,18}")) {
      throw Problem.invalid("id: (expected: that of a silence)");
    }
    ActBy by = call.actBy(given.reason(), null);
    boolean lifted =
        permits.ask(() -> mine(call, desk.silences(), id) && desk.lift(Long.parseLong(id), by));
    if (!lifted) {
      throw Problem.unknown("no silence has this id, or it has ended");
    }
    return Answer.of(new Lifted(id));
  }

  private static boolean mine(Call call, List<Silence> silences, String id) {
    return silences.stream()
        .filter(each -> each.id() == Long.parseLong(id))
        .anyMatch(each -> may(call, Right.OPERATE, each.subject()));
  }

  /** Notes the test in the audit before it sends anything. */
  private Answer test(Call call) {
    ConsoleAlerts alerts = of(call);
    TestRequest given = call.body(TestRequest.class);
    ActBy by = call.actBy(given.reason(), null);
    if (!call.operator().mayAll(Right.ADMIN)) {
      throw Problem.notPermitted(
          "a channel tells of all destinations (expected: the right 'admin' over all of them)");
    }
    String channel = given.channel();
    if (channel == null || !alerts.channels().contains(channel)) {
      throw Problem.unknown(
          "no channel has this name (expected: one of " + alerts.channels() + ")");
    }
    AuditEntry entry = AuditEntry.of(by, "test-channel", "channel", channel, null);
    permits.ask(
        () -> {
          call.database().desk().audit().note(entry);
          return true;
        });
    Optional<String> failure = alerts.test(channel);
    return Answer.of(new Tested(channel, failure.isEmpty(), failure.orElse(null)));
  }
}
