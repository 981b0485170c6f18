package io.angarium.console.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a call answers. Immutable.
 *
 * @param status of HTTP
 * @param body a record that becomes JSON, bytes that are sent as they are, a {@link Stream}, or
 *     null for nothing
 * @param headers further ones
 */
public record Answer(int status, @Nullable Object body, Map<String, String> headers) {
  /** Copies the headers. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** A body that is written bit by bit. */
  @FunctionalInterface
  public interface Stream {
    /** Writes all of it. Called once; what it throws ends the answer without an end. */
    void to(OutputStream out) throws IOException;
  }

  /** A record as JSON. */
  public static Answer of(Record body) {
    return new Answer(200, body, Map.of());
  }

  /** Nothing to say. */
  public static Answer nothing() {
    return new Answer(204, null, Map.of());
  }

  /** The same answer with a header. */
  public Answer with(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new Answer(status, body, more);
  }
}
