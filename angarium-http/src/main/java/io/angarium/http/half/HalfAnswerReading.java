package io.angarium.http.half;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a server answers, see {@link HalfJson}; fields it does not know are passed over. */
final class HalfAnswerReading {
  /**
   * A refused request, as RFC 9457 writes it.
   *
   * @param code for programs, e.g. {@code INVALID}; empty if the answer is nobody's of ours
   * @param detail for people
   * @param calls the numbers of the calls that are at fault; empty if all are
   */
  record Problem(String code, String detail, List<Integer> calls) {}

  private HalfAnswerReading() {}

  /**
   * The answers to calls.
   *
   * @throws IOException if the body is something else
   */
  static List<HalfAnswer> answers(byte[] body, List<HalfCall> calls) throws IOException {
    List<HalfAnswer> answers = new ArrayList<>(calls.size());
    try (JsonParser json = HalfJson.JSON.createParser(body)) {
      openArray(json, HalfJson.ANSWERS);
      JsonToken next = json.nextToken();
      while (next == JsonToken.START_OBJECT && answers.size() < calls.size()) {
        answers.add(readAnswer(json, calls.get(answers.size()).key()));
        next = json.nextToken();
      }
      closeArray(next, answers.size());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    return complete(answers, calls.size());
  }

  private static HalfAnswer readAnswer(JsonParser json, HalfKey key) throws IOException {
    HalfState state = null;
    Refusal refusal = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case HalfJson.STATE -> state = HalfState.valueOf(json.getText());
        case HalfJson.REFUSAL -> refusal = Refusal.valueOf(json.getText());
        default -> json.skipChildren();
      }
    }
    if (state == null) {
      throw new IOException("an answer without a state");
    }
    return new HalfAnswer(key, state, refusal);
  }

  /**
   * The answers to a question.
   *
   * @throws IOException if the body is something else
   */
  static List<HalfState> states(byte[] body, int keys) throws IOException {
    List<HalfState> states = new ArrayList<>(keys);
    try (JsonParser json = HalfJson.JSON.createParser(body)) {
      openArray(json, HalfJson.STATES_FIELD);
      JsonToken next = json.nextToken();
      while (next == JsonToken.VALUE_STRING && states.size() < keys) {
        states.add(HalfState.valueOf(json.getText()));
        next = json.nextToken();
      }
      closeArray(next, states.size());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    return complete(states, keys);
  }

  private static void openArray(JsonParser json, String name) throws IOException {
    boolean opened =
        json.nextToken() == JsonToken.START_OBJECT
            && name.equals(json.nextFieldName())
            && json.nextToken() == JsonToken.START_ARRAY;
    if (!opened) {
      throw new IOException("no JSON object with an array '" + name + "'");
    }
  }

  /**
   * Requires the end of the array. A surplus answer means that earlier answers may belong to other
   * calls.
   */
  private static void closeArray(@Nullable JsonToken token, int read) throws IOException {
    if (token != JsonToken.END_ARRAY) {
      throw new IOException("something else behind " + read + " answers");
    }
  }

  private static <T> List<T> complete(List<T> list, int expected) throws IOException {
    if (list.size() != expected) {
      throw new IOException(list.size() + " answers (expected: " + expected + ")");
    }
    return list;
  }

  /**
   * A problem; without a code if the body is none.
   *
   * @param body of any form
   */
  static Problem problem(byte[] body) {
    String code = "";
    String detail = "";
    List<Integer> calls = new ArrayList<>();
    try (JsonParser json = HalfJson.JSON.createParser(body)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String field = json.currentName();
          JsonToken value = json.nextToken();
          if (value == JsonToken.VALUE_STRING && field.equals("code")) {
            code = json.getText();
          } else if (value == JsonToken.VALUE_STRING && field.equals("detail")) {
            detail = json.getText();
          } else if (value == JsonToken.START_ARRAY && field.equals("calls")) {
            while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
              calls.add(json.getIntValue());
            }
          } else {
            json.skipChildren();
          }
        }
      }
    } catch (IOException e) {
      return new Problem("", "", List.of()); // the page of a proxy, say
    }
    return new Problem(code, detail, calls);
  }
}
