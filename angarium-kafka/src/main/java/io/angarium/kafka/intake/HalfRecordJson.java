package io.angarium.kafka.intake;

import static io.angarium.kafka.intake.HalfRecordReading.fault;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import io.angarium.half.internal.remote.ProducerPlace;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the JSON object that TrustMessage expects. Unknown fields are passed over. */
final class HalfRecordJson {
  private static final JsonFactory JSON =
      new JsonFactoryBuilder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String INFO = "verifyInfo";
  private static final String PREFIX = INFO + ".";
  private static final Pattern PROTOCOL = Pattern.compile("[0-9]{1,9}");

  private HalfRecordJson() {}

  /**
   * The call that it stands for.
   *
   * @throws InvalidMessageException if it is none, says what is expected
   */
  static HalfCall read(byte[] json, String forwardTransport) {
    Map<String, String> fields = fields(json);
    HalfKey key = new HalfKey(required(fields, "bizID"), required(fields, "messageKey"));
    String status = required(fields, "messageStatus");
    return switch (status) {
      case "1" -> new HalfCall.Prepare(message(key, fields, forwardTransport));
      case "2" -> new HalfCall.Commit(key, WhenUnknown.REMEMBER);
      case "3" -> new HalfCall.Rollback(key, WhenUnknown.REMEMBER);
      default -> throw fault("messageStatus", status, "1 prepare, 2 commit, 3 roll back");
    };
  }

  private static HalfMessage message(
      HalfKey key, Map<String, String> fields, String forwardTransport) {
    Destination destination = new Destination(forwardTransport, required(fields, "forwardTopic"));
    Message message =
        Message.of(destination, required(fields, "message")).key(text(fields, "forwardKey"));
    return HalfMessage.of(key, message).checkBack(checkBack(fields));
  }

  private static @Nullable URI checkBack(Map<String, String> fields) {
    String type = text(fields, PREFIX + "protocolType");
    if (type == null) {
      return null;
    }
    if (!PROTOCOL.matcher(type).matches()) {
      throw fault(PREFIX + "protocolType", type, "1 for HTTP, 2 for Dubbo");
    }
    return new ProducerPlace(
            Integer.parseInt(type),
            text(fields, PREFIX + "registryProtocol"),
            text(fields, PREFIX + "registryAddress"),
            text(fields, PREFIX + "url"),
            text(fields, PREFIX + "version"))
        .address();
  }

  private static String required(Map<String, String> fields, String name) {
    String value = text(fields, name);
    if (value == null) {
      throw fault(name, "missing", "this field");
    }
    return value;
  }

  private static @Nullable String text(Map<String, String> fields, String name) {
    String value = fields.get(name);
    return value == null || value.isBlank() ? null : value;
  }

  /**
   * Returns the fields by name, with the prefix {@code verifyInfo.} for fields of the inner object.
   * Nulls are left out.
   */
  private static Map<String, String> fields(byte[] value) {
    Map<String, String> fields = new HashMap<>();
    String text = HalfRecordReading.text("record value", value);
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw notJson(text);
      }
      object(json, "", fields);
      if (json.nextToken() != null) {
        throw notJson(text);
      }
    } catch (IOException e) {
      throw notJson(text);
    }
    return fields;
  }

  private static void object(JsonParser json, String prefix, Map<String, String> fields)
      throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_OBJECT && prefix.isEmpty() && name.equals(INFO)) {
        object(json, PREFIX, fields);
      } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
        fields.put(prefix + name, json.getText());
      } else {
        json.skipChildren();
      }
    }
  }

  private static InvalidMessageException notJson(String text) {
    return fault(
        "record value",
        text.length() + " characters", // what they are is nobody's business
        "a JSON object, or the headers of a half message");
  }
}
