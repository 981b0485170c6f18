package io.angarium.http.half;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of one call while they are read, see {@link HalfJson}. Not thread-safe. */
final class CallFieldReader {
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private byte @Nullable [] payload;
  private @Nullable String payloadText;

  void text(String field, String value) {
    texts.put(field, value);
  }

  void header(String name, String value) {
    headers.put(name, value);
  }

  void payload(byte[] bytes) {
    requireNoPayload();
    payload = bytes;
  }

  /** The payload, written as text. */
  void payload(String text) {
    requireNoPayload();
    payloadText = text;
  }

  private void requireNoPayload() {
    if (payload != null || payloadText != null) {
      throw new InvalidMessageException("payload and text: both (expected: one of them)");
    }
  }

  /**
   * The call.
   *
   * @throws InvalidMessageException if a field is missing or wrong
   */
  HalfCall call() {
    HalfKey key = HalfWireFormat.key(required(HalfJson.BUSINESS), required(HalfJson.KEY));
    String step = required(HalfJson.STEP);
    return switch (step) {
      case HalfJson.PREPARE -> new HalfCall.Prepare(message(key));
      case HalfJson.COMMIT -> new HalfCall.Commit(key, whenUnknown());
      case HalfJson.ROLLBACK -> new HalfCall.Rollback(key, whenUnknown());
      default ->
          throw new InvalidMessageException(
              "step: '" + PrintableExcerpt.of(step) + "' (expected: prepare, commit or rollback)");
    };
  }

  private HalfMessage message(HalfKey key) {
    String destination = required(HalfJson.DESTINATION);
    Message message =
        (payload == null
                ? Message.of(destination, payloadText == null ? "" : payloadText)
                : Message.of(destination, payload))
            .key(texts.get(HalfJson.MESSAGE_KEY))
            .type(texts.get(HalfJson.TYPE))
            .headers(Headers.of(headers))
            .createdBy(texts.get(HalfJson.CREATED_BY))
            .notBefore(HalfWireFormat.instant(texts.get(HalfJson.NOT_BEFORE)));
    if (texts.containsKey(HalfJson.BUSINESS_TYPE) || texts.containsKey(HalfJson.BUSINESS_KEY)) {
      String type = required(HalfJson.BUSINESS_TYPE);
      message =
          message.business(new BusinessKey(type, required(HalfJson.BUSINESS_KEY), Uniqueness.NONE));
    }
    return new HalfMessage(
        key,
        message,
        HalfWireFormat.delay(texts.get(HalfJson.DELAY)),
        HalfWireFormat.address(texts.get(HalfJson.CHECK_BACK)));
  }

  private WhenUnknown whenUnknown() {
    return whenUnknown(texts.get(HalfJson.WHEN_UNKNOWN));
  }

  static WhenUnknown whenUnknown(@Nullable String text) {
    if (text == null || text.equals("refuse")) {
      return WhenUnknown.REFUSE;
    }
    if (text.equals("remember")) {
      return WhenUnknown.REMEMBER;
    }
    throw new InvalidMessageException(
        "when unknown: '" + PrintableExcerpt.of(text) + "' (expected: refuse or remember)");
  }

  private String required(String field) {
    String value = texts.get(field);
    if (value == null) {
      throw new InvalidMessageException(field + ": missing (expected: a text)");
    }
    return value;
  }
}
