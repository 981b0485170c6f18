package io.angarium.server.dtm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.InvalidMessageException;
import io.angarium.http.DtmStep;
import io.angarium.server.dtm.DtmMessage.Step;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what clients of dtm send. What cannot be carried as they mean it is a fault, never left
 * out.
 */
final class DtmReading {
  /** Divides the id from the number of a further step; so no id has it. */
  static final String DIVIDER = "#";

  private static final int GID_LENGTH_MAX = 128;
  private static final int STEPS_MAX = 99;

  /** Options of dtm that have their place in the configuration here, by their names. */
  private static final Map<String, String> CONFIGURED =
      Map.of(
          "wait_result", "nobody waits here for the steps; ask the receivers",
          "concurrent", "steps are called one after the other; send a message for each",
          "timeout_to_fail", "when producers are asked is set by angarium.half.check.first",
          "retry_interval", "pauses are set by angarium.retry.*",
          "request_timeout", "it is set by angarium.http.timeout");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonNode json;

  private DtmReading(JsonNode json) {
    this.json = json;
  }

  /**
   * Reads a request.
   *
   * @throws InvalidMessageException naming the field that is missing, wrong or not carried
   */
  static DtmMessage read(byte[] body) {
    return of(body).message();
  }

  /** Reads a request in which only the id matters; see {@link #read}. */
  static String readGid(byte[] body) {
    return of(body).gid();
  }

  private static DtmReading of(byte[] body) {
    try {
      JsonNode json = JSON.readTree(body);
      require(json.isObject(), "the body", json.getNodeType(), "a JSON object");
      return new DtmReading(json);
    } catch (JacksonException e) {
      throw new InvalidMessageException("the body is no JSON: " + e.getOriginalMessage());
    }
  }

  private String gid() {
    require(text("trans_type").equals("msg"), "trans_type", text("trans_type"), "msg");
    return gid(text("gid"));
  }

  private DtmMessage message() {
    String gid = gid();
    String protocol = text("protocol");
    require(protocol.isEmpty() || protocol.equals("http"), "protocol", protocol, "http");
    CONFIGURED.forEach(
        (name, instead) -> require(isUnset(name), name, json.get(name), "none, as " + instead));
    return new DtmMessage(gid, steps(), queryPrepared(), delay(), headers());
  }

  /** Also for a question, which has nothing else. */
  static String gid(String gid) {
    require(
        !gid.isBlank()
            && gid.length() <= GID_LENGTH_MAX
            && !gid.contains(DIVIDER)
            && gid.indexOf(0) < 0
            && isWhole(gid),
        "gid",
        gid,
        "1.." + GID_LENGTH_MAX + " characters without " + DIVIDER);
    return gid;
  }

  private boolean isUnset(String name) {
    JsonNode value = json.get(name);
    return (name.equals("concurrent") && array("steps").size() < 2)
        || value == null
        || value.isNull()
        || (value.isBoolean() && !value.booleanValue())
        || (value.isNumber() && value.doubleValue() == 0);
  }

  private List<Step> steps() {
    List<JsonNode> given = array("steps");
    List<JsonNode> payloads = array("payloads");
    require(given.size() <= STEPS_MAX, "steps", given.size(), "at most " + STEPS_MAX);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String action = given.get(i).path("action").asString("");
      require(
          action.matches("(?i)https?://.+"),
          "steps[" + i + "].action",
          action,
          "a URL by http or https; topics of dtm and other protocols are not known here");
      JsonNode data = given.get(i).get("data"); // of old clients
      JsonNode payload = data == null && i < payloads.size() ? payloads.get(i) : data;
      require(
          payload != null && payload.isString(),
          "payloads[" + i + "]",
          payload,
          "a text for each step");
      String text = payload == null ? "" : payload.stringValue();
      require(isWhole(action), "steps[" + i + "].action", "half a surrogate pair", "Unicode");
      require(isWhole(text), "payloads[" + i + "]", "half a surrogate pair", "Unicode");
      steps.add(new Step(action, text));
    }
    return steps;
  }

  private List<JsonNode> array(String name) {
    JsonNode value = json.get(name);
    boolean absent = value == null || value.isNull();
    require(absent || value.isArray(), name, value, "an array");
    return absent ? List.of() : value.valueStream().toList();
  }

  private @Nullable URI queryPrepared() {
    String url = text("query_prepared");
    if (url.isEmpty()) {
      return null;
    }
    try {
      require(url.matches("(?i)https?://.+"), "query_prepared", url, "a URL by http or https");
      return URI.create("dtm+" + url.substring(0, 5).toLowerCase(Locale.ROOT) + url.substring(5));
    } catch (IllegalArgumentException e) {
      throw fault("query_prepared", url, "a URL; " + e.getMessage());
    }
  }

  private Duration delay() {
    String custom = text("custom_data");
    if (custom.isEmpty()) {
      return Duration.ZERO;
    }
    try {
      JsonNode delay = JSON.readTree(custom).path("delay");
      require(
          delay.isMissingNode() || (delay.isIntegralNumber() && delay.canConvertToInt()),
          "custom_data.delay",
          delay,
          "seconds");
      return Duration.ofSeconds(delay.asInt(0));
    } catch (JacksonException e) {
      throw fault("custom_data", custom, "JSON");
    }
  }

  private Map<String, String> headers() {
    JsonNode given = json.path("branch_headers");
    require(
        given.isMissingNode() || given.isNull() || given.isObject(),
        "branch_headers",
        given,
        "an object");
    Map<String, String> headers = new HashMap<>();
    given
        .propertyStream()
        .forEach(
            each -> {
              checkHeader(each.getKey(), each.getValue());
              headers.put(each.getKey(), each.getValue().stringValue());
            });
    return headers;
  }

  /** By the client that will send them. */
  private static void checkHeader(String name, JsonNode value) {
    require(value.isString(), "branch_headers." + name, value, "a text");
    require(
        DtmStep.mayBeHeader(name) && isWhole(name) && isWhole(value.stringValue()),
        "branch_headers." + name,
        value,
        "a header that may be sent; those of the connection are the client's own");
    try {
      HttpRequest.newBuilder().setHeader(name, value.stringValue());
    } catch (IllegalArgumentException e) {
      throw fault("branch_headers." + name, value, "a header that may be sent; " + e.getMessage());
    }
  }

  private String text(String name) {
    JsonNode value = json.get(name);
    require(value == null || value.isNull() || value.isString(), name, value, "a text");
    return value == null || value.isNull() ? "" : value.stringValue();
  }

  /** Whether UTF-8 can carry it: JSON may have half a surrogate pair. */
  private static boolean isWhole(String text) {
    return UTF_8.newEncoder().canEncode(text);
  }

  private static void require(
      boolean holds, String field, @Nullable Object value, String expected) {
    if (!holds) {
      throw fault(field, value, expected);
    }
  }

  static InvalidMessageException fault(String field, @Nullable Object value, String expected) {
    String shown = String.valueOf(value);
    return new InvalidMessageException(
        "%s: %s (expected: %s)"
            .formatted(field, shown.substring(0, Math.min(shown.length(), 200)), expected));
  }
}
