package io.angarium.http.internal.form;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check-back as JSON: {@code {"business":"order-paid","keys":["4711","4712"]}}, answered by
 * {@code {"verdicts":["COMMITTED","IN_FLIGHT"]}}, one of {@link Verdict} for each key in their
 * order. Other fields are passed over. Thread-safe.
 */
public final class CheckBackJson {
  /** How many keys a question may have. */
  static final int KEYS_MAX = 200;

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final String BUSINESS = "business";
  private static final String KEYS = "keys";
  private static final String VERDICTS = "verdicts";

  private CheckBackJson() {}

  /** Writes one object. */
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  public static String question(List<HalfKey> keys) {
    return object(
        json -> {
          json.writeStringField(BUSINESS, keys.get(0).business());
          json.writeArrayFieldStart(KEYS);
          for (HalfKey key : keys) {
            json.writeString(key.key());
          }
          json.writeEndArray();
        });
  }

  public static String answer(List<Verdict> verdicts) {
    return object(
        json -> {
          json.writeArrayFieldStart(VERDICTS);
          for (Verdict verdict : verdicts) {
            json.writeString(verdict.name());
          }
          json.writeEndArray();
        });
  }

  public static String error(String detail) {
    return object(json -> json.writeStringField("detail", detail));
  }

  /** Returns an answer in the form that TrustMessage's producers use. */
  public static String trustMessage(String key, int messageStatus) {
    return object(
        json -> {
          json.writeStringField("status", "200");
          json.writeStringField("message", "success");
          json.writeObjectFieldStart("data");
          json.writeStringField("messageKey", key);
          json.writeNumberField("messageStatus", messageStatus);
          json.writeEndObject();
        });
  }

  private static String object(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never, in memory
    }
    return text.toString();
  }

  /**
   * The keys of a question.
   *
   * @throws IllegalArgumentException if it is none, says what is expected
   */
  public static List<HalfKey> keys(String question) {
    List<String> businesses = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    read(
        question,
        (field, json) -> {
          if (field.equals(BUSINESS)) {
            businesses.add(json.getText());
          } else if (field.equals(KEYS)) {
            keys.addAll(texts(json));
          } else {
            json.skipChildren();
          }
        });
    if (businesses.size() != 1 || keys.isEmpty() || keys.size() > KEYS_MAX) {
      throw new IllegalArgumentException(
          "%d businesses and %d keys (expected: one business and 1..%d keys)"
              .formatted(businesses.size(), keys.size(), KEYS_MAX));
    }
    return keys.stream().map(key -> new HalfKey(businesses.get(0), key)).toList();
  }

  /**
   * The verdicts of an answer; what is none of them is unknown.
   *
   * @throws IllegalArgumentException if it is no JSON object
   */
  static List<CheckAnswer> verdicts(String answer) {
    List<CheckAnswer> answers = new ArrayList<>();
    read(
        answer,
        (field, json) -> {
          if (field.equals(VERDICTS)) {
            texts(json).forEach(text -> answers.add(verdict(text)));
          } else {
            json.skipChildren();
          }
        });
    return answers;
  }

  private static CheckAnswer verdict(String text) {
    for (Verdict verdict : Verdict.values()) {
      if (verdict.name().equals(text)) {
        return CheckAnswer.of(verdict);
      }
    }
    return new CheckAnswer(Verdict.UNKNOWN, "'" + PrintableExcerpt.of(text) + "' is no verdict");
  }

  /**
   * The value of {@code data.messageStatus}, a number or a text.
   *
   * @return null if there is none
   * @throws IllegalArgumentException if it is no JSON object
   */
  static @Nullable String messageStatus(String answer) {
    List<String> found = new ArrayList<>();
    read(
        answer,
        (field, json) -> {
          if (field.equals("data") && json.currentToken() == JsonToken.START_OBJECT) {
            fields(json, scalar("messageStatus", found));
          } else {
            json.skipChildren();
          }
        });
    return found.isEmpty() ? null : found.get(0);
  }

  /**
   * The value of {@code dtm_result}.
   *
   * @return null if there is none
   * @throws IllegalArgumentException if it is no JSON object
   */
  static @Nullable String dtmResult(String answer) {
    List<String> found = new ArrayList<>();
    read(answer, scalar("dtm_result", found));
    return found.isEmpty() ? null : found.get(0);
  }

  /** True if a text is a value of JSON, of whatever kind. */
  static boolean isJson(String text) {
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() == null) {
        return false;
      }
      json.skipChildren();
      return json.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static Field scalar(String name, List<String> found) {
    return (field, value) -> {
      if (field.equals(name) && value.currentToken().isScalarValue()) {
        found.add(value.getText());
      } else {
        value.skipChildren();
      }
    };
  }

  /** Takes the value that the parser stands at, and leaves it at the value's end. */
  private interface Field {
    void read(String name, JsonParser value) throws IOException;
  }

  private static void read(String text, Field field) {
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException(
            "'" + PrintableExcerpt.of(text) + "' (expected: a JSON object)");
      }
      fields(json, field);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "'" + PrintableExcerpt.of(text) + "' (expected: a JSON object)", e);
    }
  }

  private static void fields(JsonParser json, Field field) throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      field.read(name, json);
    }
  }

  private static List<String> texts(JsonParser json) throws IOException {
    List<String> texts = new ArrayList<>();
    if (json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        texts.add(json.getText());
        json.skipChildren();
      }
    }
    return texts;
  }
}
