package io.angarium.http.alert;

import io.angarium.alert.Notices;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;

/** Text for a robot of WeCom. Immutable. */
final class WeComAlerts implements AlertForm {
  /** A robot refuses a longer text. */
  static final int BYTES_MAX = 2_048;

  private final URI uri;

  WeComAlerts(HttpAlertConfig config) {
    this.uri = config.target().uri();
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    String text = ChatText.cut(ChatText.of(notices), ChatText.linkLine(notices), BYTES_MAX);
    byte[] body =
        JsonPost.object(
            json -> {
              json.writeStringField("msgtype", "text");
              json.writeObjectFieldStart("text");
              json.writeStringField("content", text);
              json.writeEndObject();
            });
    return JsonPost.to(uri, body);
  }

  @Override
  public Optional<String> refusal(String body) {
    return RobotAnswer.refusal(body);
  }
}
