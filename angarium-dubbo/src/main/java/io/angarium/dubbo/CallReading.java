package io.angarium.dubbo;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.internal.remote.CallFields;
import io.angarium.half.internal.remote.CallReader;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads calls that may come from anybody, see {@link HalfMessageService}. */
final class CallReading {
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
          reading.requireKnown(CallFields.OF_KEY);
          return reading.texts().key();
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
    requireKnown(CallFields.of(fields.get(CallFields.STEP)));
    return texts().call();
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

  private CallReader texts() {
    CallReader reader = new CallReader();
    fields.forEach((name, value) -> read(String.valueOf(name), value, reader));
    return reader;
  }

  private static void read(String name, @Nullable Object value, CallReader reader) {
    if (value == null) {
      return;
    }
    if (name.equals(CallFields.HEADERS)) {
      readHeaders(value, reader);
    } else if (name.equals(CallFields.PAYLOAD) && value instanceof byte[] bytes) {
      reader.payload(bytes);
    } else if (!(value instanceof String text)) {
      throw new InvalidMessageException(name + ": no text (expected: a text)");
    } else if (name.equals(CallFields.PAYLOAD)) {
      reader.payload(base64(text));
    } else if (name.equals(CallFields.TEXT)) {
      reader.payload(text);
    } else {
      reader.text(name, text);
    }
  }

  private static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException("payload: no Base64 (expected: bytes, or Base64)");
    }
  }

  private static void readHeaders(Object given, CallReader reader) {
    if (!(given instanceof Map<?, ?> map)) {
      throw new InvalidMessageException("headers: no map (expected: a map of texts)");
    }
    map.forEach(
        (name, value) -> {
          if (name instanceof String header && value instanceof String text) {
            reader.header(header, text);
          } else {
            throw new InvalidMessageException(
                "header '"
                    + PrintableExcerpt.of(String.valueOf(name))
                    + "': no text (expected: a text)");
          }
        });
  }
}
