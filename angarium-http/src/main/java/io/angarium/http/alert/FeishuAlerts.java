package io.angarium.http.alert;

import io.angarium.alert.Notices;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Text for a robot of Feishu or Lark, signed by fields of the body. Immutable. */
final class FeishuAlerts implements AlertForm {
  /** A robot takes 20 KB in all. */
  static final int BYTES_MAX = 18_000;

  private final URI uri;
  private final @Nullable String secret;

  FeishuAlerts(HttpAlertConfig config) {
    this.uri = config.target().uri();
    this.secret = config.secret();
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    String text = ChatText.cut(ChatText.of(notices), ChatText.linkLine(notices), BYTES_MAX);
    byte[] body =
        JsonPost.object(
            json -> {
              if (secret != null) {
                String seconds = Long.toString(now.getEpochSecond());
                json.writeStringField("timestamp", seconds);
                json.writeStringField("sign", RobotSignature.sign(seconds + "\n" + secret, ""));
              }
              json.writeStringField("msg_type", "text");
              json.writeObjectFieldStart("content");
              json.writeStringField("text", text);
              json.writeEndObject();
            });
    return JsonPost.to(uri, body);
  }

  @Override
  public Optional<String> refusal(String body) {
    return RobotAnswer.refusal(body);
  }
}
