package io.angarium.http.alert;

import com.fasterxml.jackson.core.JsonGenerator;
import io.angarium.alert.Alert;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.alert.Severity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * Alerts for the Alertmanager of Prometheus. It takes for over what it does not hear of, so it is
 * told all that is on again and again. It knows an alert by all of its labels, so an alert whose
 * severity changes is another one there, and the former is ended with it. Immutable.
 */
final class AlertmanagerAlerts implements AlertForm {
  static final String PATH = "/api/v2/alerts";

  /** The test of a channel is over there after this time. */
  static final Duration TEST_LENGTH = Duration.ofMinutes(5);

  /** So often it is told while one telling lasts, so that some may fail. */
  private static final int RENEWALS = 4;

  private final URI uri;
  private final Duration firing;

  AlertmanagerAlerts(HttpAlertConfig config) {
    String base = config.target().uri().toString().replaceFirst("/+$", "");
    this.uri = URI.create(base.endsWith(PATH) ? base : base + PATH);
    this.firing = config.timing().firing();
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    byte[] body =
        JsonPost.value(
            json -> {
              json.writeStartArray();
              for (Notice notice : notices.list()) {
                Severity severity = notice.alert().severity();
                Severity before = notice.before();
                write(json, notice, severity, end(notice, now), notices);
                if (before != null && before != severity) {
                  write(json, notice, before, now, notices);
                }
              }
              json.writeEndArray();
            });
    return JsonPost.to(uri, body);
  }

  @Override
  public Duration renewal() {
    return firing.dividedBy(RENEWALS);
  }

  private static void write(
      JsonGenerator json, Notice notice, Severity severity, Instant end, Notices notices)
      throws IOException {
    Alert alert = notice.alert();
    json.writeStartObject();
    json.writeObjectFieldStart("labels");
    json.writeStringField("alertname", alert.key().rule());
    json.writeStringField("severity", severity.name().toLowerCase(Locale.ROOT));
    json.writeStringField("subject", ChatText.label(alert.key().subject()));
    json.writeStringField("system", ChatText.label(notices.system()));
    json.writeEndObject();
    json.writeObjectFieldStart("annotations");
    json.writeStringField("summary", ChatText.harmless(ChatText.label(alert.text())));
    json.writeStringField("description", ChatText.harmless(ChatText.label(notice.meaning())));
    json.writeEndObject();
    json.writeStringField("startsAt", alert.since().toString());
    Instant endsAt = end.isBefore(alert.since()) ? alert.since() : end; // else it is refused
    json.writeStringField("endsAt", endsAt.toString());
    String link = ChatText.link(notices.address(notice));
    if (link != null) {
      json.writeStringField("generatorURL", link);
    }
    json.writeEndObject();
  }

  private Instant end(Notice notice, Instant now) {
    return switch (notice.kind()) {
      case FIRING, REMINDER -> now.plus(firing);
      case RESOLVED -> Objects.requireNonNullElse(notice.alert().resolvedAt(), now);
      case TEST -> now.plus(TEST_LENGTH);
    };
  }
}
