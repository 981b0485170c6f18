package io.angarium.http.alert;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.alert.Severity;
import java.time.Instant;
import java.util.List;

/** Alerts for tests. */
final class AlertSamples {
  static final String LINK = "https://console.example/alerts?a=1&b=2";
  static final Instant SINCE = Instant.parse("2025-12-31T23:40:00.123456Z");
  static final Instant RESOLVED = Instant.parse("2025-12-31T23:54:30Z");

  private AlertSamples() {}

  static Notice notice(Notice.Kind kind, String subject, String text) {
    boolean resolved = kind == Notice.Kind.RESOLVED;
    Alert alert =
        new Alert(
            new AlertKey("dead-letters", subject),
            resolved ? AlertState.RESOLVED : AlertState.FIRING,
            Severity.CRITICAL,
            12,
            text,
            3,
            SINCE,
            resolved ? RESOLVED : null,
            resolved ? RESOLVED : null,
            null);
    return new Notice(kind, alert, "Look at the causes, then requeue.");
  }

  static Notice firing() {
    return notice(Notice.Kind.FIRING, "kafka:orders", "Dead messages: 12");
  }

  static Notice resolved() {
    return notice(Notice.Kind.RESOLVED, "kafka:orders", "Dead messages: 12");
  }

  static Notices of(Notice... notices) {
    return new Notices("shop", List.of(notices), 0, LINK);
  }
}
