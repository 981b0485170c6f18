package io.angarium.http.alert;

import io.angarium.alert.Notices;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;

/** The text that Slack, Mattermost and Rocket.Chat take. Immutable. */
final class SlackAlerts implements AlertForm {
  /** Slack advises no more than 4 000 characters; Rocket.Chat refuses more than 5 000. */
  static final int BYTES_MAX = 4_000;

  private final URI uri;

  SlackAlerts(HttpAlertConfig config) {
    this.uri = config.target().uri();
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    String end = ChatText.entities(ChatText.linkLine(notices));
    String text = ChatText.cut(ChatText.withEntities(notices), end, BYTES_MAX);
    return JsonPost.to(uri, JsonPost.object(json -> json.writeStringField("text", text)));
  }
}
