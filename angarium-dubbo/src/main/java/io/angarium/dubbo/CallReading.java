package io.angarium.dubbo;

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
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads calls that may come from anybody, see {@link HalfMessageService}. */
final class CallReading {
  private static final Set<String> DECISION =
      Set.of(CallFields.STEP, CallFields.BUSINESS, CallFields.KEY, CallFields.WHEN_UNKNOWN);

  private static final Set<String> PREPARE =
      Set.of(
          CallFields.STEP,
          CallFields.BUSINESS,
          CallFields.KEY,
          CallFields.DESTINATION,
          CallFields.MESSAGE_KEY,
          CallFields.TYPE,
          CallFields.BUSINESS_TYPE,
          CallFields.BUSINESS_KEY,
          CallFields.CREATED_BY,
          CallFields.DELAY,
          CallFields.NOT_BEFORE,
          CallFields.CHECK_BACK,
          CallFields.HEADERS,
          CallFields.PAYLOAD,
          CallFields.TEXT);

  private static final Set<String> QUESTION = Set.of(CallFields.BUSINESS, CallFields.KEY);

  private final Map<?, ?> fields;

  private CallReading(Map<?, ?> fields) {
    this.fields = fields;
  }

  /**
   * Calls.
   *
   * @throws HalfServiceException naming all that are wrong
   */
  static List<HalfCall> calls(@Nullable List<?> given) {
    return all("calls", given, CallReading::call);
  }

  /**
   * Keys of a question.
   *
   * @throws HalfServiceException naming all that are wrong
   */
  static List<HalfKey> keys(@Nullable List<?> given) {
    return all(
        "keys",
        given,
        reading -> {
          reading.requireKnown(QUESTION);
          return reading.key();
        });
  }

  private static <T> List<T> all(
      String name, @Nullable List<?> given, Function<CallReading, T> read) {
    if (given == null || given.size() > HalfMessageService.CALLS_MAX) {
      throw new HalfServiceException(
          given == null ? HalfMessageService.INVALID : HalfMessageService.TOO_LARGE,
          name
              + ": "
              + (given == null ? "none" : given.size())
              + " (expected: a list of at most "
              + HalfMessageService.CALLS_MAX
              + ")",
          List.of());
    }
    List<T> all = new ArrayList<>(given.size());
    Map<Integer, String> faults = new TreeMap<>();
    for (int i = 0; i < given.size(); i++) {
      try {
        all.add(read.apply(new CallReading(map(given.get(i)))));
      } catch (InvalidMessageException e) {
        faults.put(i, String.valueOf(e.getMessage()));
      }
    }
    if (!faults.isEmpty()) {
      int first = faults.keySet().iterator().next();
      throw new HalfServiceException(
          HalfMessageService.INVALID,
          "call " + first + ": " + PrintableExcerpt.of(String.valueOf(faults.get(first))),
          List.copyOf(faults.keySet()));
    }
    return all;
  }

  private static Map<?, ?> map(@Nullable Object given) {
    if (given instanceof Map<?, ?> map) {
      return map;
    }
    throw new InvalidMessageException("no map of fields (expected: a map)");
  }

  private HalfCall call() {
    String step = required(CallFields.STEP);
    requireKnown(step.equals(CallFields.PREPARE) ? PREPARE : DECISION);
    HalfKey key = key();
    return switch (step) {
      case CallFields.PREPARE -> new HalfCall.Prepare(message(key));
      case CallFields.COMMIT -> new HalfCall.Commit(key, whenUnknown());
      case CallFields.ROLLBACK -> new HalfCall.Rollback(key, whenUnknown());
      default ->
          throw new InvalidMessageException(
              "step: '" + PrintableExcerpt.of(step) + "' (expected: prepare, commit or rollback)");
    };
  }

  private void requireKnown(Set<String> known) {
    for (Object name : fields.keySet()) {
      // "class" is what Dubbo itself adds to a map that is called generically
      if (!(name instanceof String text) || !(known.contains(text) || text.equals("class"))) {
        throw new InvalidMessageException(
            "unknown field '" + PrintableExcerpt.of(String.valueOf(name)) + "'");
      }
    }
  }

  private HalfKey key() {
    try {
      return new HalfKey(required(CallFields.BUSINESS), required(CallFields.KEY));
    } catch (InvalidMessageException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }

  private HalfMessage message(HalfKey key) {
    Message message =
        withPayload(required(CallFields.DESTINATION))
            .key(text(CallFields.MESSAGE_KEY))
            .type(text(CallFields.TYPE))
            .headers(headers())
            .createdBy(text(CallFields.CREATED_BY))
            .notBefore(notBefore());
    if (fields.containsKey(CallFields.BUSINESS_TYPE)
        || fields.containsKey(CallFields.BUSINESS_KEY)) {
      String type = required(CallFields.BUSINESS_TYPE);
      String businessKey = required(CallFields.BUSINESS_KEY);
      message = message.business(new BusinessKey(type, businessKey, Uniqueness.NONE));
    }
    return new HalfMessage(key, message, delay(), checkBack());
  }

  private Message withPayload(String destination) {
    Object payload = fields.get(CallFields.PAYLOAD);
    String text = text(CallFields.TEXT);
    if (payload != null && text != null) {
      throw new InvalidMessageException("payload and text: both (expected: one of them)");
    }
    if (payload == null) {
      return Message.of(destination, text == null ? "" : text);
    }
    if (payload instanceof byte[] bytes) {
      return Message.of(destination, bytes);
    }
    return Message.of(destination, base64(String.valueOf(text(CallFields.PAYLOAD))));
  }

  private static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException("payload: no Base64 (expected: bytes, or Base64)");
    }
  }

  private Headers headers() {
    Object given = fields.get(CallFields.HEADERS);
    if (given == null) {
      return Headers.EMPTY;
    }
    if (!(given instanceof Map<?, ?> map)) {
      throw new InvalidMessageException("headers: no map (expected: a map of texts)");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    map.forEach(
        (name, value) -> {
          if (name instanceof String header && value instanceof String text) {
            headers.put(header, text);
          } else {
            throw new InvalidMessageException(
                "header '"
                    + PrintableExcerpt.of(String.valueOf(name))
                    + "': no text (expected: a text)");
          }
        });
    return Headers.of(headers);
  }

  private WhenUnknown whenUnknown() {
    String text = text(CallFields.WHEN_UNKNOWN);
    if (text == null || text.equals(CallFields.REFUSE)) {
      return WhenUnknown.REFUSE;
    }
    if (text.equals(CallFields.REMEMBER)) {
      return WhenUnknown.REMEMBER;
    }
    throw new InvalidMessageException(
        "whenUnknown: '" + PrintableExcerpt.of(text) + "' (expected: refuse or remember)");
  }

  private Duration delay() {
    String text = text(CallFields.DELAY);
    try {
      return text == null ? Duration.ZERO : Duration.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidMessageException(
          "delay: '"
              + PrintableExcerpt.of(String.valueOf(text))
              + "' (expected: e.g. PT30M, ISO 8601)");
    }
  }

  private @Nullable Instant notBefore() {
    String text = text(CallFields.NOT_BEFORE);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidMessageException(
          "notBefore: '"
              + PrintableExcerpt.of(String.valueOf(text))
              + "' (expected: e.g. 2026-01-31T12:00:00Z)");
    }
  }

  private @Nullable URI checkBack() {
    String text = text(CallFields.CHECK_BACK);
    try {
      return text == null ? null : URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(
          "checkBack: '"
              + PrintableExcerpt.of(String.valueOf(text))
              + "' (expected: an address, e.g. http://shop:8080/c)");
    }
  }

  private String required(String field) {
    String value = text(field);
    if (value == null) {
      throw new InvalidMessageException(field + ": missing (expected: a text)");
    }
    return value;
  }

  private @Nullable String text(String field) {
    Object value = fields.get(field);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new InvalidMessageException(field + ": no text (expected: a text)");
  }
}
