package io.angarium.http.half;

import static io.angarium.http.half.HalfJson.CALLS;
import static io.angarium.http.half.HalfJson.CALLS_MAX;
import static io.angarium.http.half.HalfJson.JSON;
import static io.angarium.http.half.HalfJson.KEYS;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.angarium.InvalidMessageException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.internal.remote.CallFields;
import io.angarium.half.internal.remote.CallReader;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads requests with many calls or keys, which may be wrong in any way, see {@link HalfJson}. */
final class HalfRequestReading {
  private static final Set<String> FIELDS = CallFields.of(null);

  private HalfRequestReading() {}

  /**
   * The calls of a request.
   *
   * @param body JSON
   * @throws InvalidCallsException if it is not of this form, or a call is wrong
   */
  static List<HalfCall> calls(byte[] body) {
    List<HalfCall> calls = new ArrayList<>();
    Map<Integer, String> faults = new TreeMap<>();
    read(
        body,
        CALLS,
        json -> {
          int number = calls.size() + faults.size();
          CallReader fields = new CallReader();
          Optional<String> fault = readCall(json, fields);
          if (fault.isEmpty()) {
            fault = attempt(() -> calls.add(fields.call()));
          }
          fault.ifPresent(text -> faults.put(number, text));
          requireAtMost(number + 1, CALLS);
        });
    if (!faults.isEmpty()) {
      throw new InvalidCallsException(faults);
    }
    return calls;
  }

  /**
   * The keys of a question.
   *
   * @param body JSON
   * @throws InvalidCallsException if it is not of this form
   */
  static List<HalfKey> keys(byte[] body) {
    List<HalfKey> keys = new ArrayList<>();
    read(
        body,
        KEYS,
        json -> {
          Map<String, String> texts = new TreeMap<>();
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            texts.put(field, nextText(json, field));
          }
          keys.add(
              CallReader.key(
                  texts.getOrDefault(CallFields.BUSINESS, ""),
                  texts.getOrDefault(CallFields.KEY, "")));
          requireAtMost(keys.size(), KEYS);
        });
    return keys;
  }

  private static void requireAtMost(int size, String what) {
    if (size > CALLS_MAX) {
      throw new InvalidMessageException(
          what + ": more than " + CALLS_MAX + " (expected: 1.." + CALLS_MAX + ")");
    }
  }

  /** Reads a whole call, whatever is wrong with it; what is wrong first, if anything is. */
  private static Optional<String> readCall(JsonParser json, CallReader fields) throws IOException {
    Optional<String> fault = Optional.empty();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      Optional<String> found = readField(json, field, fields);
      if (fault.isEmpty()) {
        fault = found;
      }
      if (value.isStructStart() && json.currentToken() == value) {
        json.skipChildren();
      }
    }
    return fault;
  }

  private static Optional<String> readField(JsonParser json, String field, CallReader fields)
      throws IOException {
    if (field.equals(CallFields.HEADERS)) {
      return readHeaders(json, fields);
    }
    if (field.equals(CallFields.PAYLOAD)) {
      byte[] bytes = base64(json);
      return bytes == null
          ? Optional.of("payload: no Base64 (expected: Base64, RFC 4648 section 4)")
          : attempt(() -> fields.payload(bytes));
    }
    if (!FIELDS.contains(field)) {
      return Optional.of("unknown field '" + PrintableExcerpt.of(field) + "'");
    }
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      return Optional.of(field + ": no text (expected: a text)");
    }
    String text = json.getText();
    return attempt(
        () -> {
          if (field.equals(CallFields.TEXT)) {
            fields.payload(text);
          } else {
            fields.text(field, text);
          }
        });
  }

  private static byte @Nullable [] base64(JsonParser json) {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      return null;
    }
    try {
      return json.getBinaryValue();
    } catch (IOException e) {
      return null; // the next token tells if the JSON itself is broken
    }
  }

  private static Optional<String> readHeaders(JsonParser json, CallReader fields)
      throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return Optional.of("headers: no object (expected: an object of texts)");
    }
    Optional<String> fault = Optional.empty();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      if (json.nextToken() == JsonToken.VALUE_STRING) {
        String value = json.getText();
        Optional<String> found = attempt(() -> fields.header(name, value));
        fault = fault.isEmpty() ? found : fault;
      } else {
        json.skipChildren();
        fault =
            Optional.of("header '" + PrintableExcerpt.of(name) + "': no text (expected: a text)");
      }
    }
    return fault;
  }

  private static Optional<String> attempt(Runnable reading) {
    try {
      reading.run();
      return Optional.empty();
    } catch (InvalidMessageException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String nextText(JsonParser json, String field) throws IOException {
    String text = json.nextTextValue();
    if (text == null) {
      throw new InvalidMessageException(field + ": no text (expected: a text)");
    }
    return text;
  }

  /** Hands over each object of the one array, the parser at its start; leave it at its end. */
  private static void read(byte[] body, String array, HalfJson.Content<JsonParser> object) {
    String form = "expected: a JSON object with an array '" + array + "' of objects";
    try (JsonParser json = new LimitedParser(JSON.createParser(body))) {
      require(json.nextToken() == JsonToken.START_OBJECT, json, form);
      require(array.equals(json.nextFieldName()), json, form);
      require(json.nextToken() == JsonToken.START_ARRAY, json, form);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        require(json.currentToken() == JsonToken.START_OBJECT, json, form);
        object.with(json);
        require(json.currentToken() == JsonToken.END_OBJECT, json, form);
      }
      require(json.nextToken() == JsonToken.END_OBJECT, json, form);
      require(json.nextToken() == null, json, form);
    } catch (InvalidMessageException e) {
      throw new InvalidCallsException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new InvalidCallsException(
          "body: " + PrintableExcerpt.of("" + e.getMessage()) + " (" + form + ")");
    }
  }

  private static void require(boolean holds, JsonParser json, String form) {
    if (!holds) {
      throw new InvalidMessageException(
          "body: at byte " + json.currentTokenLocation().getByteOffset() + " (" + form + ")");
    }
  }
}
