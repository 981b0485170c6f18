package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes calls as {@link HalfMessageService} takes them. */
final class CallFields {
  static final String STEP = "step";
  static final String BUSINESS = "business";
  static final String KEY = "key";
  static final String DESTINATION = "destination";
  static final String MESSAGE_KEY = "messageKey";
  static final String TYPE = "type";
  static final String BUSINESS_TYPE = "businessType";
  static final String BUSINESS_KEY = "businessKey";
  static final String CREATED_BY = "createdBy";
  static final String DELAY = "delay";
  static final String NOT_BEFORE = "notBefore";
  static final String CHECK_BACK = "checkBack";
  static final String WHEN_UNKNOWN = "whenUnknown";
  static final String HEADERS = "headers";
  static final String PAYLOAD = "payload";
  static final String TEXT = "text";
  static final String PREPARE = "prepare";
  static final String COMMIT = "commit";
  static final String ROLLBACK = "rollback";
  static final String REFUSE = "refuse";
  static final String REMEMBER = "remember";

  /** What a field takes besides its text. */
  private static final int FIELD_BYTES = 16;

  private CallFields() {}

  static Map<String, Object> of(HalfCall call) {
    Map<String, Object> fields = key(call.key());
    if (call instanceof HalfCall.Prepare prepare) {
      fields.put(STEP, PREPARE);
      put(fields, prepare.message());
    } else if (call instanceof HalfCall.Commit commit) {
      fields.put(STEP, COMMIT);
      put(fields, commit.whenUnknown());
    } else if (call instanceof HalfCall.Rollback rollback) {
      fields.put(STEP, ROLLBACK);
      put(fields, rollback.whenUnknown());
    }
    return fields;
  }

  static Map<String, Object> key(HalfKey key) {
    Map<String, Object> fields = new HashMap<>();
    fields.put(BUSINESS, key.business());
    fields.put(KEY, key.key());
    return fields;
  }

  private static void put(Map<String, Object> fields, WhenUnknown whenUnknown) {
    if (whenUnknown == WhenUnknown.REMEMBER) {
      fields.put(WHEN_UNKNOWN, REMEMBER);
    }
  }

  private static void put(Map<String, Object> fields, HalfMessage half) {
    Message message = half.message();
    put(fields, DESTINATION, message.destination());
    put(fields, MESSAGE_KEY, message.key());
    put(fields, TYPE, message.type());
    put(fields, CREATED_BY, message.createdBy());
    put(fields, NOT_BEFORE, message.notBefore());
    put(fields, DELAY, half.delay().isZero() ? null : half.delay());
    put(fields, CHECK_BACK, half.checkBack());
    BusinessKey business = message.business();
    if (business != null) {
      put(fields, BUSINESS_TYPE, business.type());
      put(fields, BUSINESS_KEY, business.key());
    }
    if (!message.headers().isEmpty()) {
      fields.put(HEADERS, texts(message.headers()));
    }
    fields.put(PAYLOAD, message.payload());
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value.toString());
    }
  }

  private static Map<String, String> texts(Headers headers) {
    return new LinkedHashMap<>(headers.asMap());
  }

  /** About what fields take in a request. */
  static long bytes(Map<?, ?> fields) {
    long bytes = 0;
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      bytes += FIELD_BYTES + length(field.getKey()) + length(field.getValue());
    }
    return bytes;
  }

  private static long length(@Nullable Object value) {
    if (value instanceof byte[] payload) {
      return payload.length;
    }
    return value instanceof Map<?, ?> map
        ? bytes(map)
        : String.valueOf(value).getBytes(UTF_8).length;
  }
}
