package io.angarium.benchmarks.arm;

import java.io.IOException;
import java.io.Writer;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A command to an arm or its answer, as one line of text: {@code word name=value name=value}.
 * Immutable.
 *
 * @param word what to do, or {@code ok} or {@code failed}
 */
public record Line(String word, Map<String, String> values) {
  /** Copies the values, in their order. */
  public Line {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** A line without values. */
  public static Line of(String word) {
    return new Line(word, Map.of());
  }

  /** A line that opens an arm. */
  public static Line open(ArmSettings settings) {
    return new Line("open", settings.toValues());
  }

  /** Adds a value. */
  public Line with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value.toString());
    return new Line(word, more);
  }

  /**
   * A value that must be there.
   *
   * @throws IllegalArgumentException if it is not
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in: " + this);
    }
    return value;
  }

  /** A value that must be there and a whole number. */
  public long number(String name) {
    return Long.parseLong(text(name));
  }

  /** A value that must be there and a number. */
  public double decimal(String name) {
    return Double.parseDouble(text(name));
  }

  /** Reads what {@link #writeTo} wrote, without the end of the line. */
  public static Line parse(String line) {
    String[] words = line.split(" ", -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      values.put(
          words[i].substring(0, equals),
          URLDecoder.decode(words[i].substring(equals + 1), StandardCharsets.UTF_8));
    }
    return new Line(words[0], values);
  }

  /** Writes it with the end of the line, and flushes. */
  public void writeTo(Writer writer) throws IOException {
    writer.write(format() + "\n");
    writer.flush();
  }

  private String format() {
    return word
        + values.entrySet().stream()
            .map(
                e ->
                    " "
                        + e.getKey()
                        + "="
                        + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining());
  }
}
