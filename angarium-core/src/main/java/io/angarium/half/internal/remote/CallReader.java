package io.angarium.half.internal.remote;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one call, which may be wrong in any way. Its faults name the field and what
 * was expected. Not thread-safe.
 */
public final class CallReader {
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private byte @Nullable [] payload;
  private @Nullable String payloadText;

  /** Takes a field that is a text. */
  public void text(String field, String value) {
    texts.put(field, value);
  }

  /** Takes a header. */
  public void header(String name, String value) {
    headers.put(name, value);
  }

  /** Takes the payload. */
  public void payload(byte[] bytes) {
    requireNoPayload();
    payload = bytes;
  }

  /** Takes the payload, written as text. */
  public void payload(String text) {
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
  public HalfCall call() {
    HalfKey key = key();
    String step = required(CallFields.STEP);
    return switch (step) {
      case CallFields.PREPARE -> new HalfCall.Prepare(message(key));
      case CallFields.COMMIT -> new HalfCall.Commit(key, whenUnknown());
      case CallFields.ROLLBACK -> new HalfCall.Rollback(key, whenUnknown());
      default -> throw wrong(CallFields.STEP, step, "prepare, commit or rollback");
    };
  }

  /**
   * The key.
   *
   * @throws InvalidMessageException if a part is missing or wrong
   */
  public HalfKey key() {
    return key(required(CallFields.BUSINESS), required(CallFields.KEY));
  }

  /**
   * A key from a stranger.
   *
   * @throws InvalidMessageException if it is none
   */
  public static HalfKey key(String business, String key) {
    try {
      return new HalfKey(business, key);
    } catch (InvalidMessageException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }

  private HalfMessage message(HalfKey key) {
    String destination = required(CallFields.DESTINATION);
    Message message =
        (payload == null
                ? Message.of(destination, payloadText == null ? "" : payloadText)
                : Message.of(destination, payload))
            .key(texts.get(CallFields.MESSAGE_KEY))
            .type(texts.get(CallFields.TYPE))
            .headers(Headers.of(headers))
            .createdBy(texts.get(CallFields.CREATED_BY))
            .notBefore(instant(CallFields.NOT_BEFORE, texts.get(CallFields.NOT_BEFORE)));
    if (texts.containsKey(CallFields.BUSINESS_TYPE) || texts.containsKey(CallFields.BUSINESS_KEY)) {
      String type = required(CallFields.BUSINESS_TYPE);
      message =
          message.business(
              new BusinessKey(type, required(CallFields.BUSINESS_KEY), Uniqueness.NONE));
    }
    return new HalfMessage(
        key,
        message,
        delay(CallFields.DELAY, texts.get(CallFields.DELAY)),
        address(CallFields.CHECK_BACK, texts.get(CallFields.CHECK_BACK)));
  }

  private WhenUnknown whenUnknown() {
    return whenUnknown(CallFields.WHEN_UNKNOWN, texts.get(CallFields.WHEN_UNKNOWN));
  }

  /**
   * What to do about a key that is not known; null is to refuse it.
   *
   * @param name what the text is called in a fault
   */
  public static WhenUnknown whenUnknown(String name, @Nullable String text) {
    if (text == null || text.equals(CallFields.REFUSE)) {
      return WhenUnknown.REFUSE;
    }
    if (text.equals(CallFields.REMEMBER)) {
      return WhenUnknown.REMEMBER;
    }
    throw wrong(name, text, "refuse or remember");
  }

  /**
   * A delay; null is none.
   *
   * @param name what the text is called in a fault
   */
  public static Duration delay(String name, @Nullable String text) {
    try {
      return text == null ? Duration.ZERO : Duration.parse(text);
    } catch (DateTimeException e) {
      throw wrong(name, text, "e.g. PT30M, ISO 8601");
    }
  }

  /**
   * A time; null is null.
   *
   * @param name what the text is called in a fault
   */
  public static @Nullable Instant instant(String name, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw wrong(name, text, "e.g. 2026-01-31T12:00:00Z");
    }
  }

  /**
   * An address; null is null.
   *
   * @param name what the text is called in a fault
   */
  public static @Nullable URI address(String name, @Nullable String text) {
    try {
      return text == null ? null : new URI(text);
    } catch (URISyntaxException e) {
      throw wrong(name, text, "an address, e.g. http://shop:8080/c");
    }
  }

  private static InvalidMessageException wrong(
      String name, @Nullable String text, String expected) {
    return new InvalidMessageException(
        name + ": '" + PrintableExcerpt.of("" + text) + "' (expected: " + expected + ")");
  }

  private String required(String field) {
    String value = texts.get(field);
    if (value == null) {
      throw new InvalidMessageException(field + ": missing (expected: a text)");
    }
    return value;
  }
}
