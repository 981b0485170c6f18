package io.angarium.dubbo;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server answers, see {@link HalfMessageService}; fields it does not know are passed
 * over. Throws {@link IllegalArgumentException} at what is no answer.
 */
final class AnswerReading {
  /**
   * A refused request.
   *
   * @param code for programs; empty if the answer is nobody's of ours
   */
  record Problem(String code, String detail, List<Integer> calls) {}

  private AnswerReading() {}

  static List<HalfAnswer> answers(Map<?, ?> answer, List<HalfKey> keys) {
    List<?> given = list(answer, "answers", keys.size());
    List<HalfAnswer> answers = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      if (!(given.get(i) instanceof Map<?, ?> fields)) {
        throw new IllegalArgumentException("answer " + i + " is no map");
      }
      Object refusal = fields.get("refusal");
      answers.add(
          new HalfAnswer(
              keys.get(i),
              HalfState.valueOf(String.valueOf(fields.get("state"))),
              refusal == null ? null : Refusal.valueOf(refusal.toString())));
    }
    return answers;
  }

  static List<HalfState> states(Map<?, ?> answer, int keys) {
    List<HalfState> states = new ArrayList<>(keys);
    list(answer, "states", keys).forEach(state -> states.add(HalfState.valueOf("" + state)));
    return states;
  }

  private static List<?> list(Map<?, ?> answer, String name, int size) {
    if (answer.get(name) instanceof List<?> list && list.size() == size) {
      return list;
    }
    throw new IllegalArgumentException("no list of " + size + " " + name);
  }

  /** The problem that an answer is; null if it is none. */
  static @Nullable Problem problem(Map<?, ?> answer) {
    Object code = answer.get("code");
    if (code == null) {
      return null;
    }
    List<Integer> calls = new ArrayList<>();
    if (answer.get("calls") instanceof List<?> numbers) {
      for (Object number : numbers) {
        if (number instanceof Number call) {
          calls.add(call.intValue());
        }
      }
    }
    return new Problem(code.toString(), String.valueOf(answer.get("detail")), calls);
  }
}
