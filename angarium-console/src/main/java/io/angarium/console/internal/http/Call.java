package io.angarium.console.internal.http;

import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.internal.json.RequestJson;
import io.angarium.console.internal.problem.Problem;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call of the API: who makes it, about what, and with which parameters. Not thread-safe: one
 * thread at a time.
 */
public final class Call {
  /** The largest body of most calls. */
  public static final int BODY_BYTES_MAX = 64 << 10;

  private static final RequestJson JSON = new RequestJson();

  private final HttpServletRequest request;
  private final Map<String, String> variables;
  private final Operator operator;
  private final @Nullable ConsoleDatabase database;

  /**
   * Creates it.
   *
   * @param variables the parts of the path that the route names
   * @param database null for a call that is about none
   */
  public Call(
      HttpServletRequest request,
      Map<String, String> variables,
      Operator operator,
      @Nullable ConsoleDatabase database) {
    this.request = request;
    this.variables = Map.copyOf(variables);
    this.operator = operator;
    this.database = database;
  }

  public HttpServletRequest request() {
    return request;
  }

  public Operator operator() {
    return operator;
  }

  /** The database that the path names. */
  public ConsoleDatabase database() {
    if (database == null) {
      throw new IllegalStateException("this call is about no database");
    }
    return database;
  }

  /** The part of the path that the route calls so. */
  public String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("no variable " + name);
    }
    return value;
  }

  /** The id of a message in the path. */
  public UUID uuid(String name) {
    return uuid(name, variable(name));
  }

  /** Reads a UUID in its usual form. */
  public static UUID uuid(String name, String given) {
    try {
      UUID id = UUID.fromString(given);
      if (id.toString().equalsIgnoreCase(given)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(
          name + ": no UUID (expected: one like 01a217cf-8c75-71ff-a812-818f3ab7c4af)");
    }
    throw Problem.invalid(name + ": a part of a UUID (expected: all 36 characters)");
  }

  /** A parameter of the query; null if it is missing or empty. */
  public @Nullable String parameter(String name) {
    String value = request.getParameter(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** A parameter that is a number in a range. */
  public int number(String name, int whenMissing, int min, int max) {
    String value = parameter(name);
    if (value == null) {
      return whenMissing;
    }
    if (value.matches("\\d{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw Problem.invalid(name + ": '" + cut(value) + "' (expected: " + min + ".." + max + ")");
  }

  /** A parameter that is an instant; null if it is missing. */
  public @Nullable Instant instant(String name) {
    return instant(name, parameter(name));
  }

  /** Reads an instant; null for null. */
  public static @Nullable Instant instant(String name, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw Problem.invalid(
          name + ": '" + cut(text) + "' (expected: one like 2026-11-26T12:03:04.123Z)");
    }
  }

  /** A parameter that is a span of time. */
  public Duration duration(String name, Duration whenMissing) {
    return duration(name, parameter(name), whenMissing);
  }

  /** Reads a span of time. */
  public static Duration duration(String name, @Nullable String text, Duration whenMissing) {
    try {
      return text == null ? whenMissing : Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw Problem.invalid(name + ": '" + cut(text) + "' (expected: one like PT10M or P1D)");
    }
  }

  /** A parameter that is one of an enum's constants in lower case. */
  public <E extends Enum<E>> E choice(String name, Class<E> type, E whenMissing) {
    String value = parameter(name);
    return value == null ? whenMissing : choice(name, type, value);
  }

  /** Reads a constant that is written in lower case with dashes. */
  public static <E extends Enum<E>> E choice(String name, Class<E> type, @Nullable String text) {
    for (E each : type.getEnumConstants()) {
      if (RecordJson.text(each).equals(text)) {
        return each;
      }
    }
    StringBuilder all = new StringBuilder();
    for (E each : type.getEnumConstants()) {
      all.append(all.length() == 0 ? "" : ", ").append(RecordJson.text(each));
    }
    throw Problem.invalid(name + ": '" + cut(text) + "' (expected: one of " + all + ")");
  }

  private static String cut(@Nullable String text) {
    String all = String.valueOf(text);
    return all.length() <= 100 ? all : all.substring(0, 100) + "…";
  }

  /**
   * Reads the body.
   *
   * @throws Problem if it is too large or no such JSON
   */
  public <T extends Record> T body(Class<T> type) {
    return body(type, BODY_BYTES_MAX);
  }

  /**
   * Reads a body that may have so many bytes.
   *
   * @throws Problem if it is too large or no such JSON
   */
  public <T extends Record> T body(Class<T> type, int bytesMax) {
    String contentType = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
    if (!contentType.startsWith("application/json")) {
      throw Problem.notJson();
    }
    try {
      byte[] body = request.getInputStream().readNBytes(bytesMax + 1);
      if (body.length > bytesMax) {
        throw Problem.tooLarge(bytesMax);
      }
      return JSON.read(body, type);
    } catch (IOException e) {
      throw Problem.invalid("body: it ended before its end (expected: all of it)");
    }
  }

  /** Who acts and why; the page says by a header that it is the page. */
  public ActBy actBy(@Nullable String reason, @Nullable UUID operation) {
    boolean page = "page".equals(request.getHeader("Angarium-Console-Client"));
    try {
      return new ActBy(
          new Decision(operator.name(), reason == null ? "" : reason),
          page ? ActBy.Via.PAGE : ActBy.Via.API,
          operation);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Refuses an operator without a right.
   *
   * @throws Problem if so
   */
  public void require(Right right) {
    if (!operator.may(right)) {
      throw Problem.notPermitted(
          "'%s' may not do this (expected: the right '%s'); ask who operates the console"
              .formatted(operator.name(), RecordJson.text(right)));
    }
  }
}
