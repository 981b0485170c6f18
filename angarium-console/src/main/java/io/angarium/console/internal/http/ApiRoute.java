package io.angarium.console.internal.http;

import io.angarium.console.access.Right;
import io.angarium.console.internal.problem.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of the API. Immutable.
 *
 * @param method of HTTP
 * @param path below the API's base; a part in braces is a variable, and {@code {db}} a database
 * @param right needed to make the call; null for one that strangers make
 * @param acts whether it changes something, so that it must come from the console's own page or
 *     from a program
 * @param summary what the call does, for its description
 * @param request what its body is read into; null if it has none
 * @param answer what it answers; null for nothing, or for bytes
 * @param parameters names of those in the query
 * @param handler answers it
 */
public record ApiRoute(
    String method,
    String path,
    @Nullable Right right,
    boolean acts,
    String summary,
    @Nullable Class<? extends Record> request,
    @Nullable Class<? extends Record> answer,
    List<String> parameters,
    Handler handler) {
  /** Copies the list. */
  public ApiRoute {
    parameters = List.copyOf(parameters);
  }

  /** A question that is an address. */
  public static ApiRoute get(
      String path,
      @Nullable Right right,
      String summary,
      @Nullable Class<? extends Record> answer,
      List<String> parameters,
      Handler handler) {
    return new ApiRoute("GET", path, right, false, summary, null, answer, parameters, handler);
  }

  /** A question with a body, so that no log of addresses has what it asks for. */
  public static ApiRoute ask(
      String path,
      Right right,
      String summary,
      Class<? extends Record> request,
      Class<? extends Record> answer,
      Handler handler) {
    return new ApiRoute("POST", path, right, false, summary, request, answer, List.of(), handler);
  }

  /** An act. */
  public static ApiRoute act(
      String method,
      String path,
      Right right,
      String summary,
      Class<? extends Record> request,
      Class<? extends Record> answer,
      Handler handler) {
    return new ApiRoute(method, path, right, true, summary, request, answer, List.of(), handler);
  }

  /** Answers a call. */
  @FunctionalInterface
  public interface Handler {
    /** Answers; throws {@link Problem} if it cannot. */
    Answer answer(Call call);
  }

  /** The variables of a path; empty if it is not of this route. */
  Optional<Map<String, String>> match(List<String> parts) {
    String[] own = path.split("/", -1);
    if (own.length != parts.size()) {
      return Optional.empty();
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < own.length; i++) {
      if (own[i].startsWith("{")) {
        variables.put(own[i].substring(1, own[i].length() - 1), parts.get(i));
      } else if (!own[i].equals(parts.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }
}
