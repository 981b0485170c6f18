package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.internal.remote.CallFields;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes calls as {@link HalfMessageService} takes them. */
final class CallMaps {
  /** What a field takes besides its text. */
  private static final int FIELD_BYTES = 16;

  private CallMaps() {}

  static Map<String, Object> of(HalfCall call) {
    Writer writer = new Writer(new HashMap<>());
    CallFields.write(call, writer);
    return writer.fields();
  }

  static Map<String, Object> of(HalfKey key) {
    Writer writer = new Writer(new HashMap<>());
    CallFields.write(key, writer);
    return writer.fields();
  }

  private record Writer(Map<String, Object> fields) implements CallFields.Sink<RuntimeException> {
    @Override
    public void text(String field, String value) {
      fields.put(field, value);
    }

    @Override
    public void headers(Map<String, String> headers) {
      fields.put(CallFields.HEADERS, new LinkedHashMap<>(headers));
    }

    @Override
    public void payload(byte[] payload) {
      fields.put(CallFields.PAYLOAD, payload);
    }
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
