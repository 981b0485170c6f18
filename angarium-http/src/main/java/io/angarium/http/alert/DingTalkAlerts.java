package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.alert.AlertText;
import io.angarium.alert.Notices;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Markdown for a robot of DingTalk, signed by parameters of the address. Immutable. */
final class DingTalkAlerts implements AlertForm {
  /** A robot takes 20 000 bytes in all. */
  static final int BYTES_MAX = 18_000;

  private static final Pattern LINE_END = Pattern.compile("(?<!\n)\n(?!\n)");

  private final URI uri;
  private final @Nullable String secret;

  DingTalkAlerts(HttpAlertConfig config) {
    this.uri = config.target().uri();
    this.secret = config.secret();
  }

  @Override
  public HttpRequest.Builder request(Notices notices, Instant now) {
    String link = ChatText.link(notices);
    String end = link == null ? "" : "\n\n[Link](" + link + ")";
    String lines = ChatText.cut(ChatText.of(notices), end, BYTES_MAX);
    String markdown = LINE_END.matcher(lines).replaceAll("  \n"); // else it joins the lines
    byte[] body =
        JsonPost.object(
            json -> {
              json.writeStringField("msgtype", "markdown");
              json.writeObjectFieldStart("markdown");
              json.writeStringField("title", ChatText.harmless(AlertText.title(notices)));
              json.writeStringField("text", markdown);
              json.writeEndObject();
              json.writeObjectFieldStart("at");
              json.writeBooleanField("isAtAll", false);
              json.writeEndObject();
            });
    return JsonPost.to(signed(now), body);
  }

  private URI signed(Instant now) {
    if (secret == null) {
      return uri;
    }
    long millis = now.toEpochMilli();
    String sign = RobotSignature.sign(secret, millis + "\n" + secret);
    String separator = uri.getRawQuery() == null ? "?" : "&";
    String parameters = "timestamp=%d&sign=%s".formatted(millis, URLEncoder.encode(sign, UTF_8));
    return URI.create(uri + separator + parameters);
  }

  @Override
  public Optional<String> refusal(String body) {
    return RobotAnswer.refusal(body);
  }
}
