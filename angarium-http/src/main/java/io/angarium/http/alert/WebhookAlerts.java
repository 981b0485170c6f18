package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertText;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.http.signature.HttpSignature;
import io.angarium.internal.Sha256Names;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * JSON for programs, in the envelope that Standard Webhooks proposes: type, timestamp and data. The
 * header {@code webhook-id} is the hash of the body. Immutable.
 */
final class WebhookAlerts implements AlertForm {
  static final String TYPE = "angarium.alerts";

  private final URI uri;
  private final @Nullable HttpSignature signature;

  WebhookAlerts(HttpAlertConfig config) {
    this.uri = config.target().uri();
    String secret = config.secret();
    this.signature = secret == null ? null : HttpSignature.of(List.of(secret));
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    byte[] body = JsonPost.object(json -> write(json, notices, now));
    HttpRequest.Builder request = JsonPost.to(uri, body);
    String id = Sha256Names.id(TYPE, new String(body, UTF_8)).toString();
    if (signature == null) {
      return request.setHeader(HttpSignature.ID, id);
    }
    signature.addTo(request, id, now, body);
    return request;
  }

  private static void write(JsonGenerator json, Notices notices, Instant now) throws IOException {
    json.writeStringField("type", TYPE);
    json.writeStringField("timestamp", now.toString());
    json.writeObjectFieldStart("data");
    json.writeStringField("system", notices.system());
    json.writeStringField("title", AlertText.title(notices));
    json.writeStringField("severity", lower(notices.severity()));
    json.writeArrayFieldStart("alerts");
    for (Notice notice : notices.list()) {
      write(json, notice, notices.address(notice));
    }
    json.writeEndArray();
    json.writeNumberField("more", notices.more());
    link(json, notices.address());
    json.writeEndObject();
  }

  private static void link(JsonGenerator json, @Nullable String address) throws IOException {
    if (address != null) {
      json.writeStringField("link", address);
    }
  }

  private static void write(JsonGenerator json, Notice notice, @Nullable String address)
      throws IOException {
    Alert alert = notice.alert();
    json.writeStartObject();
    json.writeStringField("kind", lower(notice.kind()));
    json.writeStringField("rule", alert.key().rule());
    json.writeStringField("subject", alert.key().subject());
    json.writeStringField("severity", lower(alert.severity()));
    json.writeNumberField("value", alert.value());
    json.writeStringField("text", alert.text());
    json.writeStringField("meaning", notice.meaning());
    json.writeNumberField("episode", alert.episode());
    json.writeStringField("since", alert.since().toString());
    Instant resolved = alert.resolvedAt();
    if (resolved != null) {
      json.writeStringField("resolvedAt", resolved.toString());
    }
    link(json, address);
    json.writeEndObject();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
