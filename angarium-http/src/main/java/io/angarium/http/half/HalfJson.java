package io.angarium.http.half;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.angarium.InvalidMessageException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import io.angarium.half.internal.remote.CallFields;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Many calls for half messages in one request, and what is answered, as JSON.
 *
 * <pre>{@code
 * POST /v1/half-messages/batch
 * {"calls": [
 *   {"step": "prepare", "business": "order-paid", "key": "4711", "destination": "kafka:orders",
 *    "text": "{\"paid\":true}"},
 *   {"step": "commit", "business": "order-paid", "key": "4710"}]}
 *
 * {"answers": [{"state": "PREPARED"}, {"state": "UNKNOWN", "refusal": "UNKNOWN"}]}
 * }</pre>
 *
 * An answer for each call, in their order. A prepare may have {@code messageKey}, {@code type},
 * {@code headers} (an object of texts), {@code businessType} and {@code businessKey}, {@code
 * createdBy}, {@code delay}, {@code notBefore} and {@code checkBack} besides, and its payload as
 * {@code text} or, in Base64, as {@code payload}; a decision may have {@code "whenUnknown":
 * "remember"}. A field that is not one of these is a fault. {@code POST /v1/half-messages/states}
 * asks with {@code {"keys": [{"business": …, "key": …}]}} and is answered {@code {"states": […]}}.
 */
public final class HalfJson {
  /** Where many calls are made. */
  public static final String BATCH = HalfWireFormat.PATH + "/batch";

  /** Where many keys are asked for. */
  public static final String STATES = HalfWireFormat.PATH + "/states";

  /** How many calls or keys a request may have. */
  public static final int CALLS_MAX = 500;

  static final String CALLS = "calls";
  static final String KEYS = "keys";
  static final String ANSWERS = "answers";
  static final String STATES_FIELD = "states";
  static final String STATE = "state";
  static final String REFUSAL = "refusal";

  /** Maximum length of a text. The largest payload that any limit allows fits in it as Base64. */
  private static final int TEXT_LENGTH_MAX = 96 << 20;

  private static final int DEPTH_MAX = 16;

  static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(TEXT_LENGTH_MAX)
                  .maxNestingDepth(DEPTH_MAX)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private HalfJson() {}

  /** Writes or reads some JSON. */
  @FunctionalInterface
  interface Content<J> {
    void with(J json) throws IOException;
  }

  private static byte[] write(Content<JsonGenerator> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      content.with(json);
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /**
   * One call, as a part of a request.
   *
   * @throws InvalidMessageException if a text holds half a surrogate pair
   */
  static byte[] call(HalfCall call) {
    return requested(json -> CallFields.write(call, new Writer(json)));
  }

  /** A request with calls that are written already. */
  static byte[] batch(Collection<byte[]> calls) {
    ByteArrayOutputStream bytes =
        new ByteArrayOutputStream(16 + calls.stream().mapToInt(call -> call.length + 1).sum());
    bytes.writeBytes(("{\"" + CALLS + "\":").getBytes(UTF_8));
    char separator = '[';
    for (byte[] call : calls) {
      bytes.write(separator);
      bytes.writeBytes(call);
      separator = ',';
    }
    bytes.writeBytes("]}".getBytes(UTF_8));
    return bytes.toByteArray();
  }

  static byte[] keys(Collection<HalfKey> keys) {
    return requested(
        json -> {
          json.writeArrayFieldStart(KEYS);
          for (HalfKey key : keys) {
            json.writeStartObject();
            CallFields.write(key, new Writer(json));
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static byte[] requested(Content<JsonGenerator> content) {
    try {
      return write(content);
    } catch (IOException e) { // not in memory
      throw new InvalidMessageException("half message: " + e.getMessage());
    }
  }

  /** Writes the fields of a call into an object. */
  private record Writer(JsonGenerator json) implements CallFields.Sink<IOException> {
    @Override
    public void text(String field, String value) throws IOException {
      json.writeStringField(whole(field), whole(value));
    }

    @Override
    public void headers(Map<String, String> headers) throws IOException {
      json.writeObjectFieldStart(CallFields.HEADERS);
      for (Map.Entry<String, String> header : headers.entrySet()) {
        text(header.getKey(), header.getValue());
      }
      json.writeEndObject();
    }

    @Override
    public void payload(byte[] payload) throws IOException {
      json.writeBinaryField(CallFields.PAYLOAD, payload);
    }
  }

  /** What has no UTF-8 form would become something else on its way. */
  private static String whole(String text) {
    if (text.chars().anyMatch(c -> Character.isSurrogate((char) c))
        && !UTF_8.newEncoder().canEncode(text)) {
      throw new InvalidMessageException(
          "half message: '"
              + PrintableExcerpt.of(text)
              + "' has half a surrogate pair; correct it");
    }
    return text;
  }

  /** The answer to a request with calls. */
  public static byte[] answers(Collection<HalfAnswer> answers) {
    return told(
        json -> {
          json.writeArrayFieldStart(ANSWERS);
          for (HalfAnswer answer : answers) {
            json.writeStartObject();
            json.writeStringField(STATE, answer.state().name());
            Refusal refusal = answer.refusal();
            if (refusal != null) {
              json.writeStringField(REFUSAL, refusal.name());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  /** The answer to a request with keys. */
  public static byte[] states(Collection<HalfState> states) {
    return told(
        json -> {
          json.writeArrayFieldStart(STATES_FIELD);
          for (HalfState state : states) {
            json.writeString(state.name());
          }
          json.writeEndArray();
        });
  }

  /**
   * A problem, as RFC 9457 writes it.
   *
   * @param code one of {@link HalfProblem} or the name of a {@link Refusal}
   * @param calls the numbers of the calls that are at fault; empty if all are
   */
  public static byte[] problem(int status, String code, String detail, Collection<Integer> calls) {
    String words = code.toLowerCase(Locale.ROOT);
    return told(
        json -> {
          json.writeStringField("type", "urn:angarium:problem:" + words.replace('_', '-'));
          json.writeStringField("title", words.replace('_', ' '));
          json.writeNumberField("status", status);
          json.writeStringField("code", code);
          json.writeStringField("detail", detail);
          if (!calls.isEmpty()) {
            json.writeArrayFieldStart(CALLS);
            for (int call : calls) {
              json.writeNumber(call);
            }
            json.writeEndArray();
          }
        });
  }

  private static byte[] told(Content<JsonGenerator> content) {
    try {
      return write(content);
    } catch (IOException e) {
      throw new IllegalStateException("JSON cannot be written into memory", e);
    }
  }

  /**
   * The calls of a request.
   *
   * @param body JSON
   * @throws InvalidCallsException if it is not of this form, or a call is wrong
   */
  public static List<HalfCall> readCalls(byte[] body) {
    return HalfRequestReading.calls(body);
  }

  /**
   * The keys of a question.
   *
   * @param body JSON
   * @throws InvalidCallsException if it is not of this form
   */
  public static List<HalfKey> readKeys(byte[] body) {
    return HalfRequestReading.keys(body);
  }
}
