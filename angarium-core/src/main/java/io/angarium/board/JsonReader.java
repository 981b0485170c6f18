package io.angarium.board;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into maps, lists, texts, numbers as {@link Double}, truth values and null. For short
 * texts of our own. Not thread-safe.
 */
final class JsonReader {
  private static final int DEPTH_MAX = 8;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Map<String, @Nullable Object> object(String text) {
    JsonReader reader = new JsonReader(text);
    reader.skipSpace();
    reader.expect('{');
    Map<String, @Nullable Object> read = reader.members(1);
    reader.skipSpace();
    if (reader.at != text.length()) {
      throw reader.fault("the end");
    }
    return read;
  }

  private Map<String, @Nullable Object> members(int depth) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    if (next('}')) {
      return members;
    }
    do {
      skipSpace();
      expect('"');
      String name = string();
      skipSpace();
      expect(':');
      members.put(name, value(depth));
    } while (next(','));
    expect('}');
    return members;
  }

  private List<@Nullable Object> elements(int depth) {
    List<@Nullable Object> elements = new ArrayList<>();
    if (next(']')) {
      return elements;
    }
    do {
      elements.add(value(depth));
    } while (next(','));
    expect(']');
    return elements;
  }

  private @Nullable Object value(int depth) {
    skipSpace();
    if (depth > DEPTH_MAX) {
      throw fault("at most " + DEPTH_MAX + " levels");
    }
    return switch (peek()) {
      case '{' -> {
        at++;
        yield members(depth + 1);
      }
      case '[' -> {
        at++;
        yield elements(depth + 1);
      }
      case '"' -> {
        at++;
        yield string();
      }
      default -> word();
    };
  }

  private @Nullable Object word() {
    int from = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    return switch (word) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> number(word);
    };
  }

  private Double number(String word) {
    try {
      return Double.valueOf(word);
    } catch (NumberFormatException e) {
      throw fault("a value");
    }
  }

  private String string() {
    StringBuilder read = new StringBuilder();
    for (char c = take(); c != '"'; c = take()) {
      read.append(c == '\\' ? escaped(take()) : c);
    }
    return read.toString();
  }

  private char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case '"', '\\', '/' -> c;
      case 'u' -> unicode();
      default -> throw fault("an escape");
    };
  }

  private char unicode() {
    if (at + 4 > text.length()) {
      throw fault("four hexadecimal digits");
    }
    try {
      char read = (char) Integer.parseInt(text.substring(at, at + 4), 16);
      at += 4;
      return read;
    } catch (NumberFormatException e) {
      throw fault("four hexadecimal digits");
    }
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean next(char wanted) {
    skipSpace();
    boolean there = peek() == wanted;
    if (there) {
      at++;
    }
    return there;
  }

  private void expect(char wanted) {
    if (take() != wanted) {
      at--;
      throw fault("'" + wanted + "'");
    }
  }

  private char take() {
    char c = peek();
    at++;
    return c;
  }

  private char peek() {
    if (at >= text.length()) {
      throw fault("more");
    }
    return text.charAt(at);
  }

  private IllegalArgumentException fault(String expected) {
    return new IllegalArgumentException(
        "JSON of %d characters: at %d (expected: %s)".formatted(text.length(), at, expected));
  }
}
