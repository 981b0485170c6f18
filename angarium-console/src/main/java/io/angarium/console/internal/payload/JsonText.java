package io.angarium.console.internal.payload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * JSON as a person reads it: indented, every number with all its digits, a field that is there
 * twice shown twice, and masked values replaced. Thread-safe.
 */
final class JsonText {
  private static final int DEPTH_MAX = 200;
  private static final int NUMBER_LENGTH_MAX = 10_000;
  private static final String INDENT = "  ";

  private final JsonFactory factory =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(NUMBER_LENGTH_MAX)
                  .build())
          .build();

  /**
   * A text and what was masked in it. Immutable.
   *
   * @param masked the names of the masked fields, sorted
   */
  record Shown(String text, Set<String> masked) {}

  /** The text of a payload; empty if it is no JSON. */
  Optional<Shown> of(byte[] payload, Masking masking, boolean reveal) {
    Writing writing = new Writing(masking, reveal);
    try (JsonParser from = factory.createParser(payload)) {
      if (from.nextToken() == null) {
        return Optional.empty();
      }
      writing.value(from);
      return from.nextToken() == null
          ? Optional.of(new Shown(writing.text.toString(), writing.masked))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Writes one document. Not thread-safe. */
  private static final class Writing {
    private final StringBuilder text = new StringBuilder();
    private final Set<String> masked = new TreeSet<>();
    private final Masking masking;
    private final boolean reveal;

    /** For each open object or array whether it has members yet. */
    private final Deque<Boolean> open = new ArrayDeque<>();

    Writing(Masking masking, boolean reveal) {
      this.masking = masking;
      this.reveal = reveal;
    }

    void value(JsonParser from) throws IOException {
      JsonToken token = from.currentToken();
      switch (token) {
        case START_OBJECT -> members(from, '{', '}', JsonToken.END_OBJECT);
        case START_ARRAY -> members(from, '[', ']', JsonToken.END_ARRAY);
        case VALUE_STRING -> quoted(from.getText());
        default -> text.append(from.getText());
      }
    }

    private void members(JsonParser from, char begin, char end, JsonToken last) throws IOException {
      text.append(begin);
      open.push(false);
      while (from.nextToken() != last) {
        if (from.currentToken() == null) {
          throw new IOException("it ends before its end");
        }
        line();
        if (from.currentToken() == JsonToken.FIELD_NAME) {
          field(from);
        } else {
          value(from);
        }
      }
      if (open.pop()) {
        newLine();
      }
      text.append(end);
    }

    private void field(JsonParser from) throws IOException {
      String name = from.currentName();
      quoted(name);
      text.append(": ");
      from.nextToken();
      if (!reveal && masking.isMasked(name) && from.currentToken() != JsonToken.VALUE_NULL) {
        masked.add(name);
        text.append('"').append(Masking.MASK).append('"');
        from.skipChildren();
      } else {
        value(from);
      }
    }

    private void line() {
      if (open.pop()) {
        text.append(',');
      }
      open.push(true);
      newLine();
    }

    private void newLine() {
      text.append('\n').append(INDENT.repeat(open.size()));
    }

    private void quoted(String value) {
      text.append('"').append(JsonStringEncoder.getInstance().quoteAsString(value)).append('"');
    }
  }
}
