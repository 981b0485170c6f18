package io.angarium.http.alert;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a robot of a chat answers with status 200, also if it refuses. */
final class RobotAnswer {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> CODES = Set.of("errcode", "code", "StatusCode");
  private static final Set<String> TEXTS = Set.of("errmsg", "msg", "StatusMessage");

  private RobotAnswer() {}

  /** Why it refused; empty if its code is zero. */
  static Optional<String> refusal(String body) {
    String code = null;
    String text = "";
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return noAnswer(body);
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        String value = json.nextToken().isScalarValue() ? json.getText() : "";
        json.skipChildren();
        if (CODES.contains(field)) {
          code = worse(code, value);
        } else if (TEXTS.contains(field)) {
          text = value;
        }
      }
    } catch (IOException e) {
      return noAnswer(body);
    }
    if (code == null) {
      return noAnswer(body);
    }
    return code.equals("0") ? Optional.empty() : Optional.of("refused with " + code + ": " + text);
  }

  private static String worse(@Nullable String before, String code) {
    return before == null || before.equals("0") ? code : before;
  }

  private static Optional<String> noAnswer(String body) {
    return Optional.of("answered what is no answer of a robot: " + body);
  }
}
